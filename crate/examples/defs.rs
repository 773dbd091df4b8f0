use stepscope::{*,analyze::*};
fn main(){ let d=Definition::named(&std::env::args().nth(1).unwrap()).unwrap();
 for k in std::env::args().skip(2){
 let b=std::fs::read(format!("/work/shared/traces/pytorch/{k}.json.gz")).unwrap();
 let mut text=Vec::new(); std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&b[..]),&mut text).unwrap();
 let mut l=Loader::new(&k);
 for c in text.chunks(1<<18){ l.space(c.len()).copy_from_slice(c); l.advance(c.len()).unwrap(); }
 let r=l.finish().unwrap(); let t=&r.trace; let s=steps(t,&StepsConfig::default());
 let v=definition_values(t,&s,d);
 print!("{{\"trace\":\"{k}\"");
 for (k,v) in &v.values { match v { Value::Time(n)=>print!(",\"{k}\":{}",n.0), Value::Ratio(r)=>print!(",\"{k}\":{}",r.map_or("null".into(),|x|x.to_string()))} }
 print!(",\"steps\":{{"); for (i,(n,v)) in v.steps.iter().enumerate(){ if i>0{print!(",")} print!("\"{n}\":{{"); for (j,(k,v)) in v.iter().enumerate(){ if j>0{print!(",")} if let Value::Time(n)=v {print!("\"{k}\":{}",n.0)}} print!("}}"); } println!("}}}}");
 }}
