use stepscope::{*,analyze::*};
fn main(){ let merge=std::env::args().nth(1).unwrap()=="torch";
 for f in std::env::args().skip(2){
 let b=std::fs::read(&f).unwrap();
 let mut text=Vec::new(); if b[0]==0x1f {std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&b[..]),&mut text).unwrap();} else {text=b}
 let mut l=Loader::new(&f);
 for c in text.chunks(1<<18){ l.space(c.len()).copy_from_slice(c); l.advance(c.len()).unwrap(); }
 let r=l.finish().unwrap(); let t=&r.trace;
 let o=operators(t,OperatorsConfig{merge_only_children:merge,grouping:OperatorGrouping::Name});
 for x in &o.rows { println!("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",x.name,x.class.name(),x.calls,x.host_total.0,x.host_self.0,x.device_total.0,x.device_self.0,x.device_total_sum.0,x.device_self_sum.0);} 
 for k in kernels(t,KernelGrouping::Name){ println!("K\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:?}\t{:?}\t{}",t.strings.get(k.name),k.time.calls,k.time.total.0,k.time.mean.0,k.time.min.0,k.time.max.0,k.time.std.0,k.blocks_per_sm,k.occupancy_percent,k.tensor_cores);} 
 }}
