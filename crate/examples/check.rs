use stepscope::{*,analyze::*}; use serde_json::Value;
fn main(){ 
 let e:Value=serde_json::from_str(&std::fs::read_to_string("/work/shared/traces/reference/expected.json").unwrap()).unwrap();
 for (k,v) in e.as_object().unwrap(){
 let b=std::fs::read(format!("/work/shared/traces/pytorch/{k}.json.gz")).unwrap();
 let mut text=Vec::new(); std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&b[..]),&mut text).unwrap();
 let mut l=Loader::new(k);
 for c in text.chunks(1<<18){ l.space(c.len()).copy_from_slice(c); l.advance(c.len()).unwrap(); }
 let r=l.finish().unwrap(); let t=&r.trace;
 println!("== {k} slices {} acts {}", t.slices.len(), t.activities.len()); for w in &r.warnings{println!("    {w}")}
 let g=|p:&Value,s:&str| p.get(s).and_then(Value::as_i64).unwrap_or(-1);
 let cmp=|what:&str,d:&DeviceTime,s:&Value|{ for (n,o,x) in [("window",d.window,"window"),("busy",d.busy,"busy"),("idle",d.idle,"idle"),("compute",d.compute,"compute"),("comm",d.communication,"communication"),("memcpy",d.memcpy,"memcpy"),("memset",d.memset,"memset"),("overlap",d.overlap,"overlap"),("ec",d.exposed_communication,"exposed_communication"),("em",d.exposed_memcpy,"exposed_memcpy"),("es",d.exposed_memset,"exposed_memset")]{ if o.0!=g(s,x){println!("   DIFF {what} {n}: ours {} ref {}",o.0,g(s,x));}}};
 let dt=device_time(t); if dt.len()!=1 {println!("   devices {}",dt.len());}
 if let Some(d)=dt.first(){ cmp("all",&d.time,&v["section2"]); let n=t.activities.iter().filter(|a|a.communication).count() as i64; if n!=g(&v["section2"],"n_comm"){println!("   DIFF n_comm {n} {}",g(&v["section2"],"n_comm"));}}
 let s=steps(t,&StepsConfig::default());
 let origin = { let m:i64= {let mut mn=i64::MAX; for st in v["steps"].as_array().unwrap(){mn=mn.min(g(st,"start"))} mn}; m };
 let so=s.steps.first().map(|x|x.span.start.0).unwrap_or(0);
 let ro=roles(t,&s);
 let es=v["steps"].as_array().unwrap(); if es.len()!=s.steps.len(){println!("   DIFF steps {} {}",s.steps.len(),es.len());}
 for ((st,ex),ro) in s.steps.iter().zip(es).zip(&ro){ let st2=(st.span.start.0-so+origin,st.span.end.0-so+origin,st.activities as i64,st.partial); let ex2=(g(ex,"start"),g(ex,"end"),g(ex,"activities"),ex["partial"].as_bool().unwrap()); if st2!=ex2||st.name!=ex["name"].as_str().unwrap(){println!("   DIFF step {} {:?} {:?}",st.name,st2,ex2);}
  let er=&v["roles"][&st.name]; if er.is_object(){ for (x,n) in ro.iter().zip(["Kernel","Memcpy","Memset","Communication","Runtime","DataLoader","CPU Exec","Other"]){ if x.0!=g(er,n){println!("   DIFF role {} {n} {} {}",st.name,x.0,g(er,n));}}}
  let ps=&v["section2_per_step"][&st.name]; if ps.is_object(){ if let Some(d)=dt.first(){ cmp(&format!("step {}",st.name),&DeviceTime::of(d.time.device,&d.sets.clip(st.span),st.span),ps);}}
 }
 }}
