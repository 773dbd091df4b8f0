use proptest::prelude::*;

use super::editor::FoundSecrets;
use super::{JsonMask, LineMask, is_secret_name, mask, mask_arguments, masked_value};

/// A key like a service's, assembled here so that no scanner takes it for a real one.
fn key(start: &str, len: usize) -> String {
    format!("{start}{}", "A1b2".repeat(len).chars().take(len).collect::<String>())
}

fn masked(text: &str) -> (String, FoundSecrets) {
    let mut found = FoundSecrets::default();
    (super::masked(text.to_owned(), &mut found), found)
}

fn json(text: &str, piece: usize) -> (String, FoundSecrets) {
    let (mut mask, mut found, mut out) = (JsonMask::default(), FoundSecrets::default(), Vec::new());
    text.as_bytes().chunks(piece).for_each(|piece| mask.push(piece, &mut out, &mut found));
    mask.finish(&mut out, &mut found);
    (String::from_utf8(out).unwrap(), found)
}

#[test]
fn names_of_secrets() {
    let secret = [
        "password",
        "DB_PASSWORD",
        "passwd",
        "ssh-passphrase",
        "clientSecret",
        "AWS_SECRET_ACCESS_KEY",
        "credential",
        "git.credentials",
        "auth",
        "basic-auth",
        "Authorization",
        "api-key",
        "apiKey",
        "OPENAI_API_KEY",
        "apikey",
        "access_key",
        "AWS_ACCESS_KEY_ID",
        "private-key",
        "token",
        "HF_TOKEN",
        "hfToken",
        "HFToken",
        "access-token",
        "WANDB_API_KEY_2",
        "token1",
        "X-Amz-Security-Token",
        "db_pwd",
        "PGPASSWORD",
        "PGPASSWORD_2",
        "MYSQL_PWD",
        "SSHPASSWD",
        "MY_APPSECRET",
        "GITHUBTOKEN",
    ];
    for name in secret {
        assert!(is_secret_name(name), "{name}");
    }
    let public = [
        "",
        "tokenizer",
        "--tokenizer",
        "tokenizer_path",
        "max-tokens",
        "num_tokens",
        "TOKENIZERS_PARALLELISM",
        "batch",
        "eos_token",
        "pad_token",
        "ms_per_token",
        "token_ids",
        "key",
        "cache_key",
        "keys",
        "author",
        "authored",
        "PWD",
        "OLDPWD",
        "SSH_AUTH_SOCK",
        "password-file",
        "secret.py",
        "monkey",
        "keyboard",
        "no-auth",
        "passes",
        "tokens",
        "NOPASSWD",
        "PGPASSFILE",
        "MAXTOKEN",
        "PGpassword",
    ];
    for name in public {
        assert!(!is_secret_name(name), "{name}");
    }
}

#[test]
fn values_are_masked_in_every_form() {
    let jwt = format!("eyJ{0}.eyJ{0}.{0}", "abcdef012");
    for (text, expected) in [
        ("train --api-key hunter2 --epochs 3", "train --api-key ******* --epochs 3"),
        ("train --api-key=hunter2 --epochs=3", "train --api-key=******* --epochs=3"),
        ("HF_TOKEN=hunter2 python x.py", "HF_TOKEN=******* python x.py"),
        ("PGPASSWORD=hunter2 psql", "PGPASSWORD=******* psql"),
        ("MYSQL_PWD=hunter2 mysql", "MYSQL_PWD=******* mysql"),
        ("PASSWORD=hun(te)r x", "PASSWORD=******** x"),
        ("{'password': make('hunter2')}", "{'password': make('*******')}"),
        ("-password 'two words' -n 3", "-password '*********' -n 3"),
        ("curl -H 'Authorization: Bearer hunter2' host", "curl -H 'Authorization: Bearer *******' host"),
        ("curl -H \"X-Api-Key: hunter2\"", "curl -H \"X-Api-Key: *******\""),
        ("pip install https://me:hunter2@host/simple", "pip install https://**********@host/simple"),
        ("https://h/p?token=hunter2&epochs=3", "https://h/p?token=*******&epochs=3"),
        ("postgres://me:p@ss@db:5432/x", "postgres://*******@db:5432/x"),
        ("['--token', 'hunter2', '--steps', '3']", "['--token', '*******', '--steps', '3']"),
        ("Namespace(token='hunter2', steps=3)", "Namespace(token='*******', steps=3)"),
        ("{'HF_TOKEN': 'hunter2', 'steps': 3}", "{'HF_TOKEN': '*******', 'steps': 3}"),
        ("Config(password=SecretStr('hunter2'))", "Config(password=SecretStr('*******'))"),
        ("password = hunter2", "password = *******"),
        ("(api_key=hunter2)", "(api_key=*******)"),
        ("secret=pässword x", "secret=********* x"),
    ] {
        let (found, names) = masked(text);
        assert_eq!(found, expected);
        assert_eq!(names.count, 1, "{text}");
        assert_eq!(masked(&found), (found.clone(), FoundSecrets::default()), "masked twice is masked once");
    }
    for value in [
        key("hf_", 34),
        key("sk-", 40),
        key("ghp_", 36),
        key("gho_", 36),
        key("github_pat_", 40),
        key("glpat-", 20),
        format!("AKIA{}", "ABCD1234".repeat(2)),
        format!("ASIA{}", "ABCD1234".repeat(2)),
        key("xoxb-", 20),
        key("AIza", 35),
        jwt,
    ] {
        let (found, names) = masked(&format!("run {value}, then"));
        assert_eq!(found, format!("run {}, then", "*".repeat(value.len())));
        assert_eq!(names.count, 1);
    }
    let block = format!("a -----BEGIN RSA {0}-----\nabc\ndef\n-----END RSA {0}----- b", "PRIVATE KEY");
    let (found, names) = masked(&block);
    assert!(!found.contains("abc") && found.ends_with(" b") && found.len() == block.len(), "{found}");
    assert_eq!(names.list(), "private key");
}

#[test]
fn what_is_no_secret_stays() {
    for text in [
        "train --tokenizer gpt2 --max-tokens 4096 --num-tokens=3 --batch-size 8 tokenizer_path=/x/y",
        "use_auth_token=True token=None --token --epochs 3 token=17",
        "torch/nn/modules/module.py(1553): _call_impl",
        "huggingface_hub/utils/_auth.py(34): get_token",
        "transformers/models/hf_hub_download_file.py(3): hf_transformers",
        "void at::native::elementwise<Secret::token>(int, auth::Key)",
        "pip install tokenizers==0.2 msal-token==1.0",
        "https://host/path@2x.png ssh://git@github.com/x",
        "PWD=/home/me OLDPWD=/ SSH_AUTH_SOCK=/tmp/x --password-file /run/x",
        "task-based sk-learn mask_token=[MASK] eos_token=</s> Bearer of news",
        "--auth --token",
        "x --password= --batch-size 8",
        "def f(authkey=None):\n    self._authkey = authkey; g(token=token)",
        "secret= ",
        "self._config = {'authkey': AuthenticationString(os.urandom(32)),\n    'semprefix': '/mp'}",
        "token = os.environ['HF_TOKEN']; password = getpass.getpass('Password: ')",
        "secret = secrets.token_bytes(16)",
    ] {
        assert_eq!(masked(text), (text.to_owned(), FoundSecrets::default()));
    }
}

#[test]
fn brackets_alone_make_no_program() {
    for (text, expected) in [
        ("password = Tr0ub4(dor)&3", "password = *************"),
        ("password = os.environ.get('PW', 'hunter2')", "password = os.environ.get('PW', '*******')"),
        ("password = os.environ.get(KEY, 'hunter2')", "password = os.environ.get(KEY, '*******')"),
        (r#"password = os.getenv(\"TOKEN\", \"hunter2\")"#, r#"password = os.getenv(\"TOKEN\", \"*******\")"#),
    ] {
        assert_eq!(masked(text).0, expected);
    }
    let decrypted = masked("password = decrypt_input('s3cret')").0;
    assert!(!decrypted.contains("s3cret"), "{decrypted}");
}

#[test]
fn arguments_are_known_as_wholes() {
    let arguments = |all: &[&str]| {
        let mut arguments: Vec<Vec<u8>> = all.iter().map(|one| one.as_bytes().to_vec()).collect();
        let mut found = FoundSecrets::default();
        mask_arguments(&mut arguments, &mut found);
        let text: Vec<String> = arguments.into_iter().map(|one| String::from_utf8(one).unwrap()).collect();
        (text.join("|"), found.list())
    };
    let (text, names) =
        arguments(&["sh", "--password", "a b,c", "--api-key=d e&f", "TOKEN=g h", "--auth", "--steps", "3"]);
    assert_eq!(text, "sh|--password|*****|--api-key=*****|TOKEN=***|--auth|--steps|3");
    assert_eq!(names, "password, api-key, TOKEN");
    let (text, names) = arguments(&["-c", "exec HF_TOKEN=x1 run --secret y2", "--tokenizer", "t", "--token", "-5"]);
    assert_eq!(text, "-c|exec HF_TOKEN=** run --secret **|--tokenizer|t|--token|-5");
    assert_eq!(names, "HF_TOKEN, secret");
}

#[test]
fn json_is_masked_as_it_passes_by() {
    let text = r#"{"metadata": {"env": {"HF_TOKEN": "hun\"ter2", "PATH": "/bin", "token": 5, "password": ""}},
        "argv": ["x.py", "--api-key", "hunter2", "--lr=3"], "environ": ["API_KEY=hun ter2", "N=3"],
        "variables": [{"name": "DB_PASSWORD", "value": "hunter2"}, {"name": "N", "value": "3"}],
        "credentials": {"user": "hunter", "list": ["hunter2"]}, "text": "{\"secret\": \"hunter2\", \"n\": 3}",
        "lines": "a=1\npassword=hunter2\nb=2", "url": "https:\/\/me:hunter2@host\/x", "tokenizer": "hunter3",
        "traceEvents": [{"ph": "X", "name": "aten::add", "args": {"Input Dims": [[1]], "cmd": "--token hunter2"}}]}"#;
    let (whole, found) = json(text, usize::MAX);
    assert_eq!(whole.len(), text.len());
    assert!(!whole.contains("hunter2") && !whole.contains("ter2") && whole.contains("hunter3"), "{whole}");
    assert_eq!(found.count, 10, "{found:?}");
    for kept in [
        r#""token": 5"#,
        r#""password": """#,
        r#""value": "3""#,
        r#"\nb=2"#,
        r#", \"n\": 3}"#,
        "@host",
        "--lr=3",
        "N=3",
    ] {
        assert!(whole.contains(kept), "{kept}: {whole}");
    }
    for piece in [1, 2, 7, 64] {
        assert_eq!(json(text, piece), (whole.clone(), found.clone()), "pieces of {piece}");
    }
    assert_eq!(json(&whole, 100), (whole.clone(), FoundSecrets::default()));
}

#[test]
fn damaged_json_keeps_no_known_key() {
    let token = key("hf_", 34);
    for text in [
        format!("{{\"a\": \"cut \" here\", \"b\": \"{token}\"}}"),
        format!("\"{token}"),
        format!("{{\"HF_TOKEN\": \"{token}"),
        format!("[{token}, {{\"x\": {token}"),
    ] {
        let (masked, _) = json(&text, 5);
        assert!(!masked.contains(&token) && masked.len() == text.len(), "{masked}");
    }
    let long = format!("{{\"password\": \"{}\", \"x\": \"{} {token}\"}}", "p".repeat(3 << 20), "y".repeat(2 << 20));
    let (masked, _) = json(&long, 1 << 16);
    assert!(!masked.contains('p') || masked.matches('p').count() == 1, "the key's own");
    assert!(!masked.contains(&token) && masked.len() == long.len());
}

#[test]
fn lines_pass_by() {
    let text = "a,b\ntoken=hunter2,3\nlast --secret hunter2";
    for piece in [1, 5, 100] {
        let (mut mask, mut found, mut out) = (LineMask::default(), FoundSecrets::default(), Vec::new());
        text.as_bytes().chunks(piece).for_each(|piece| mask.push(piece, &mut out, &mut found));
        mask.finish(&mut out, &mut found);
        let out = String::from_utf8(out).unwrap();
        assert!(out.len() == text.len() && !out.contains("hunter2"), "{out}");
        assert_eq!(found.names, ["token", "secret"]);
    }
}

#[test]
fn a_name_s_value_is_masked_whole() {
    let mut found = FoundSecrets::default();
    assert_eq!(masked_value("HF_TOKEN", "a b".to_owned(), &mut found), "***");
    assert_eq!(masked_value("command", "x --token b".to_owned(), &mut found), "x --token *");
    assert_eq!(masked_value("tokens", "a b".to_owned(), &mut found), "a b");
    assert_eq!(found.list(), "HF_TOKEN, token");
}

proptest! {
    #[test]
    fn nothing_panics_and_lengths_stay(text in "[ -~\\\\\"'=:é\n-]{0,80}", piece in 1_usize..9) {
        let mut bytes = text.clone().into_bytes();
        mask(&mut bytes, &mut FoundSecrets::default());
        prop_assert_eq!(bytes.len(), text.len());
        prop_assert!(std::str::from_utf8(&bytes).is_ok());
        prop_assert_eq!(json(&text, piece).0.len(), text.len());
    }
}
