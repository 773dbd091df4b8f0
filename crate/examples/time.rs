use std::time::Instant;
use stepscope::Loader;
fn main() {
    for f in std::env::args().skip(1) {
        let b = std::fs::read(&f).unwrap();
        let text = if b[0] == 0x1f {
            let mut o = Vec::new();
            std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&b[..]), &mut o).unwrap();
            o
        } else {
            b
        };
        for _ in 0..std::env::var("N").map_or(3, |n| n.parse().unwrap()) {
            let t = Instant::now();
            let mut l = Loader::new(&f);
            for c in text.chunks(1 << 18) {
                l.space(c.len()).copy_from_slice(c);
                l.advance(c.len()).unwrap();
            }
            let t1 = t.elapsed();
            let r = l.finish().unwrap();
            let t2 = t.elapsed();
            println!(
                "{f} {} MB events {} slices {} tokenize+build {:.0} MB/s  finish {:.1} ms total {:.0} MB/s  held {:.1} MB = {:.1} B/slice + strings {:.1} MB",
                text.len() >> 20,
                r.trace.meta.events,
                r.trace.slices.len(),
                text.len() as f64 / t1.as_secs_f64() / 1e6,
                (t2 - t1).as_secs_f64() * 1e3,
                text.len() as f64 / t2.as_secs_f64() / 1e6,
                r.trace.bytes_held() as f64 / 1e6,
                r.trace.bytes_held() as f64 / r.trace.slices.len() as f64,
                r.trace.strings.bytes_held() as f64 / 1e6
            );
            if std::env::var("W").is_ok() {
                for w in &r.warnings {
                    println!("   {w}")
                }
            }
        }
    }
}
