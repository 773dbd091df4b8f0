//! Stable names in place of paths and hosts: equal ones stay equal, and different ones different.

use std::collections::HashMap;

use stepscope_format::secrets::Editor;

/// Folders whose contents have public paths: the part after them stays.
const PUBLIC: [&str; 2] = ["/site-packages/", "/dist-packages/"];

/// Hosts that identify no machine.
const ANY_HOST: [&str; 5] = ["localhost", "127.0.0.1", "0.0.0.0", "localhost.localdomain", "host.docker.internal"];

/// Replaces paths and names of hosts, or, at first, only collects the hosts.
#[derive(Debug, Default)]
pub(super) struct Pseudonyms {
    with_paths: bool,
    with_hosts: bool,
    replaces: bool,
    folders: HashMap<Vec<u8>, usize>,
    /// By name; sorted by length when replacing begins, so that no name is taken for the beginning of another one.
    hosts: HashMap<Vec<u8>, usize>,
    users: HashMap<Vec<u8>, usize>,
}

impl Pseudonyms {
    pub(super) fn new(with_paths: bool, with_hosts: bool) -> Self {
        Self { with_paths, with_hosts, ..Self::default() }
    }

    /// Ends collecting.
    pub(super) fn replace(&mut self) {
        self.replaces = true;
    }

    /// Counts of replaced names, for a message.
    pub(super) fn told(&self) -> String {
        let mut told = String::new();
        for (wanted, name, count) in [
            (self.with_paths, "folders", self.folders.len()),
            (self.with_hosts, "hosts", self.hosts.len()),
            (self.with_hosts, "users", self.users.len()),
        ] {
            if wanted {
                told.push_str(&format!(", {name} renamed: {count}"));
            }
        }
        told
    }

    fn collect(&mut self, key: &[u8], content: &[u8]) {
        if is_host_key(key, content) && is_host(content) {
            number(&mut self.hosts, content);
        }
        for host in urls(content) {
            if is_host(&content[host.clone()]) {
                number(&mut self.hosts, &content[host]);
            }
        }
        // `package==1.2.3.4` is a version.
        let is_version =
            |start: usize| content[..start].ends_with(b"=") && content[..start.saturating_sub(1)].ends_with(b"=");
        for place in words(content).filter(|place| is_address(&content[place.clone()]) && !is_version(place.start)) {
            number(&mut self.hosts, &content[place]);
        }
    }

    fn rename_hosts(&mut self, key: &[u8], content: &mut Vec<u8>) {
        if is_user_key(key) && !content.is_empty() {
            let user = number(&mut self.users, content);
            *content = format!("user-{user}").into_bytes();
            return;
        }
        if self.hosts.is_empty() {
            return;
        }
        let places: Vec<_> = words(content).filter(|place| self.hosts.contains_key(&content[place.clone()])).collect();
        for place in places.into_iter().rev() {
            let name = format!("host-{}", number(&mut self.hosts, &content[place.clone()]));
            content.splice(place, name.into_bytes());
        }
    }

    fn rename_paths(&mut self, content: &mut Vec<u8>) {
        let mut at = 0;
        while at < content.len() {
            let Some(len) = path_at(content, at) else {
                at += 1;
                continue;
            };
            let path = content[at..at + len].to_vec();
            let Some(folder) = folder_of(&path) else {
                at += len;
                continue;
            };
            let name = format!("path-{}", number(&mut self.folders, &path[..folder]));
            content.splice(at..at + folder, name.bytes());
            at += len - folder + name.len();
        }
    }
}

impl Editor for Pseudonyms {
    fn found(&mut self, _name: &str) {}

    fn edit(&mut self, key: &[u8], content: &mut Vec<u8>) {
        if !self.replaces {
            if self.with_hosts {
                self.collect(key, content);
            }
            return;
        }
        if self.with_hosts {
            self.rename_hosts(key, content);
        }
        if self.with_paths {
            self.rename_paths(content);
        }
    }
}

/// The number of a name, from 1 in the order in which they are first met.
fn number(names: &mut HashMap<Vec<u8>, usize>, name: &[u8]) -> usize {
    if let Some(known) = names.get(name) {
        return *known;
    }
    let next = names.len() + 1;
    names.insert(name.to_vec(), next);
    next
}

fn is_host_key(key: &[u8], content: &[u8]) -> bool {
    const KEYS: [&str; 9] = [
        "host",
        "hostname",
        "host_name",
        "nodename",
        "node_name",
        "master_addr",
        "fqdn",
        "slurmd_nodename",
        "computername",
    ];
    let is_node = key.eq_ignore_ascii_case(b"node") && content.iter().any(u8::is_ascii_digit) && content.len() >= 8;
    is_node || KEYS.iter().any(|one| key.eq_ignore_ascii_case(one.as_bytes()))
}

fn is_user_key(key: &[u8]) -> bool {
    ["user", "username", "user_name", "logname"].iter().any(|one| key.eq_ignore_ascii_case(one.as_bytes()))
}

/// Whether a text can be the name of a host that identifies a machine.
fn is_host(text: &[u8]) -> bool {
    let is_name = text.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'));
    let says = text.len() >= 3 && text.iter().any(u8::is_ascii_alphanumeric);
    let is_any = ANY_HOST.iter().any(|any| text.eq_ignore_ascii_case(any.as_bytes()));
    is_name && says && !is_any && text.len() <= 255 && !text.starts_with(b"host-")
}

/// Whether a word is an address of IPv4 that identifies a machine.
fn is_address(word: &[u8]) -> bool {
    let mut parts = 0;
    let is_number = word.split(|byte| *byte == b'.').all(|part| {
        parts += 1;
        matches!(part.len(), 1..=3)
            && part.iter().all(u8::is_ascii_digit)
            && (part.len() == 1 || part[0] != b'0')
            && std::str::from_utf8(part).is_ok_and(|part| part.parse::<u16>().is_ok_and(|part| part < 256))
    });
    is_number && parts == 4 && is_host(word)
}

/// The parts of a text that can be names of hosts or addresses.
fn words(text: &[u8]) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() && !is_part(text[at]) {
            // An escaped control character is no letter.
            at += if text[at] == b'\\' { 2 } else { 1 };
        }
        let start = at.min(text.len());
        while at < text.len() && is_part(text[at]) {
            at += 1;
        }
        let mut end = at.min(text.len());
        while end > start && matches!(text[end - 1], b'.' | b'-') {
            end -= 1;
        }
        (start < text.len()).then_some(start..end)
    })
    .filter(|place| !place.is_empty())
}

/// The hosts of the URLs in a text.
fn urls(text: &[u8]) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let marks = [&b"://"[..], &b":\\/\\/"[..]];
    let starts = (0..text.len()).filter_map(move |at| {
        let mark = marks.iter().find(|mark| text[at..].starts_with(mark))?;
        Some(at + mark.len())
    });
    starts.filter_map(|start| {
        let is_end = |byte: &u8| {
            byte.is_ascii_whitespace()
                || matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'\\' | b'<' | b'>' | b',' | b')')
        };
        let rest = &text[start..];
        let authority = &rest[..rest.iter().position(is_end).unwrap_or(rest.len())];
        let from = authority.iter().rposition(|byte| *byte == b'@').map_or(0, |at| at + 1);
        let len = authority[from..].iter().position(|byte| *byte == b':').unwrap_or(authority.len() - from);
        (len > 0).then(|| start + from..start + from + len)
    })
}

/// Length of the path that begins at a place: `/a/b`, `~/a`, `C:\a\b`, with slashes as JSON may escape them.
fn path_at(text: &[u8], at: usize) -> Option<usize> {
    let before = at.checked_sub(1).map_or(b' ', |before| text[before]);
    // After an escaped control character, too.
    let escaped = at >= 2 && text[at - 2] == b'\\' && matches!(before, b'n' | b't' | b'r');
    if !escaped
        && (before.is_ascii_alphanumeric()
            || before >= 0x80
            || matches!(before, b'/' | b'\\' | b'.' | b'_' | b'-' | b'~' | b'>' | b'*'))
    {
        return None;
    }
    let rest = &text[at..];
    let is_part = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || byte >= 0x80
            || matches!(byte, b'.' | b'_' | b'-' | b'+' | b'@' | b'~' | b'%' | b'#')
    };
    let root = match rest {
        [b'/', next, ..] if is_part(*next) => 1,
        [b'\\', b'/', next, ..] if is_part(*next) => 2,
        [b'~', b'/', next, ..] if is_part(*next) => 2,
        [drive, b':', b'\\', b'\\', next, ..] if drive.is_ascii_alphabetic() && is_part(*next) => 4,
        [drive, b':', b'\\' | b'/', next, ..] if drive.is_ascii_alphabetic() && is_part(*next) => 3,
        _ => return None,
    };
    let mut len = root;
    while let Some(byte) = rest.get(len) {
        let step = match (byte, rest.get(len + 1)) {
            (byte, _) if is_part(*byte) => 1,
            (b'/', _) => 1,
            (b'\\', Some(b'/' | b'\\')) => 2,
            (b'\\', Some(next)) if root == 3 && is_part(*next) => 1,
            _ => break,
        };
        len += step;
    }
    Some(len)
}

/// Length of a path's folder, without the last slash; `None` if there is only the root.
fn folder_of(path: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(path).replace("\\/", "/");
    if text.len() == path.len() {
        let public = PUBLIC.iter().filter_map(|public| text.find(public).map(|at| at + public.len() - 1)).min();
        if let Some(public) = public {
            return Some(public);
        }
    }
    let mut end = path.iter().rposition(|byte| matches!(byte, b'/' | b'\\'))?;
    while end > 0 && path[end - 1] == b'\\' {
        end -= 1;
    }
    (path[..end].iter().any(u8::is_ascii_alphanumeric) || path.starts_with(b"~")).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(texts: &[(&str, &str)]) -> Vec<String> {
        let mut names = Pseudonyms::new(true, true);
        let edit = |names: &mut Pseudonyms, (key, text): &(&str, &str)| {
            let mut content = text.as_bytes().to_vec();
            names.edit(key.as_bytes(), &mut content);
            String::from_utf8(content).unwrap()
        };
        texts.iter().for_each(|text| assert_eq!(edit(&mut names, text), text.1, "nothing is replaced at first"));
        names.replace();
        texts.iter().map(|text| edit(&mut names, text)).collect()
    }

    #[test]
    fn folders_have_numbers_and_files_keep_their_names() {
        let texts = [
            ("", "/home/me/job/train.py(12): main"),
            ("", "/home/me/job/model.py(3): forward"),
            ("", "python /home/me/other/train.py --out=/data/x/ /tmp"),
            ("", "/opt/venv/lib/python3.11/site-packages/torch/utils/data/dataloader.py(630): __next__"),
            ("", "torch/nn/modules/module.py(1553): _call_impl"),
            ("", "C:\\\\Users\\\\me\\\\train.py"),
            ("", "\\/home\\/me\\/job\\/x.py"),
            ("", "a/b https://x/y a::b<c>/d 3/4"),
        ];
        assert_eq!(
            renamed(&texts)[..6],
            [
                "path-1/train.py(12): main",
                "path-1/model.py(3): forward",
                "python path-2/train.py --out=path-3/ /tmp",
                "path-4/torch/utils/data/dataloader.py(630): __next__",
                "torch/nn/modules/module.py(1553): _call_impl",
                "path-5\\\\train.py",
            ]
        );
        assert_eq!(renamed(&texts)[6..], ["path-6\\/x.py", "a/b https://x/y a::b<c>/d 3/4"]);
    }

    #[test]
    fn hosts_are_renamed_wherever_they_stand() {
        let texts = [
            ("", "rank 0 on gpu-17.cluster: gpu-17.cluster_x"),
            ("hostname", "gpu-17.cluster"),
            ("MASTER_ADDR", "10.1.2.3"),
            ("", "tcp://10.1.2.3:29500 http://me@store.local:80/x 127.0.0.1 version 1.2.3 x==1.2.3.4"),
            ("USER", "me"),
            ("host", "localhost"),
        ];
        assert_eq!(
            renamed(&texts),
            [
                "rank 0 on host-1: gpu-17.cluster_x",
                "host-1",
                "host-2",
                "tcp://host-2:29500 http://me@host-3:80/x 127.0.0.1 version 1.2.3 x==1.2.3.4",
                "user-1",
                "localhost",
            ]
        );
    }
}
