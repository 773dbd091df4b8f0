//! A training loop that is profiled: `mlp [FOLDER]`.
//!
//! A network of two layers learns, on the processor alone, to separate two interleaved spirals. A thread of its own
//! makes the batches. Two cycles of steps are recorded and written as compact files, for the page or
//! `stepscope summary`. The costs of all steps and the timers' statistics are printed.
//!
//! `STEPSCOPE_OPTIONS='{"start":true}' mlp` records all of it instead, without another line here.

use std::sync::mpsc;

use stepscope_collector::{
    Category, Cycle, MemoryDevice, Options, Profiler, Scheduler, Timer, allocated, counter, export_compact, flow_end,
    flow_start, freed, instrument, mark, name_thread, span, timer_table,
};

const BATCH: usize = 64;
const HIDDEN: usize = 48;
const STEPS: u64 = 300;
const RATE: f32 = 0.2;

static EVALUATE: Timer = Timer::new("evaluate");

/// Numbers that look random, the same each time.
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }
}

struct Batch {
    number: u64,
    /// Two coordinates each.
    points: Vec<[f32; 2]>,
    /// Which spiral each lies on: 0 or 1.
    labels: Vec<f32>,
}

#[instrument(category = DataLoader, arguments(number))]
fn make_batch(number: u64, random: &mut Random) -> Batch {
    let mut batch = Batch { number, points: Vec::with_capacity(BATCH), labels: Vec::with_capacity(BATCH) };
    for _ in 0..BATCH {
        let label = if random.next() < 0.5 { 0.0 } else { 1.0 };
        let along = random.next();
        let angle = along * 5.0 + label * std::f32::consts::PI + random.next() * 0.2;
        batch.points.push([angle.cos() * along * 2.0, angle.sin() * along * 2.0]);
        batch.labels.push(label);
    }
    // A flow joins the spans in which its ends are: this one, and the forward pass that works on the batch.
    flow_start("batch", number);
    batch
}

/// Two layers: tanh, then a logistic unit.
struct Network {
    input: Vec<[f32; 3]>,
    output: Vec<f32>,
    bias: f32,
}

/// Values of the forward pass that the backward pass needs.
struct Activations {
    hidden: Vec<[f32; HIDDEN]>,
    guesses: Vec<f32>,
}

struct Gradients {
    input: Vec<[f32; 3]>,
    output: Vec<f32>,
    bias: f32,
}

impl Network {
    fn new(random: &mut Random) -> Self {
        let mut weight = |scale: f32| (random.next() * 2.0 - 1.0) * scale;
        let input = (0..HIDDEN).map(|_| [weight(2.0), weight(2.0), weight(1.0)]).collect();
        Self { input, output: (0..HIDDEN).map(|_| weight(0.3)).collect(), bias: 0.0 }
    }

    #[instrument(category = Forward, arguments(samples = batch.points.len()))]
    fn forward(&self, batch: &Batch) -> Activations {
        flow_end("batch", batch.number);
        let hidden: Vec<[f32; HIDDEN]> = {
            let _layer = span!("tanh layer", in Category::Operator, width = HIDDEN);
            let unit = |point: &[f32; 2], row: usize| {
                let [x, y, bias] = self.input[row];
                (point[0] * x + point[1] * y + bias).tanh()
            };
            batch.points.iter().map(|point| std::array::from_fn(|row| unit(point, row))).collect()
        };
        let bytes = size_of_val(&*hidden) as u64;
        allocated(MemoryDevice::Host, hidden.as_ptr() as u64, bytes);
        let _layer = span!("logistic layer", in Category::Operator);
        let guess = |hidden: &[f32; HIDDEN]| {
            let sum: f32 = hidden.iter().zip(&self.output).map(|(value, weight)| value * weight).sum();
            1.0 / (1.0 + (-sum - self.bias).exp())
        };
        let guesses = hidden.iter().map(guess).collect();
        Activations { hidden, guesses }
    }

    #[instrument(category = Backward)]
    fn backward(&self, batch: &Batch, activations: &Activations) -> Gradients {
        let mut gradients = Gradients { input: vec![[0.0; 3]; HIDDEN], output: vec![0.0; HIDDEN], bias: 0.0 };
        for (index, hidden) in activations.hidden.iter().enumerate() {
            let error = (activations.guesses[index] - batch.labels[index]) / BATCH as f32;
            let [x, y] = batch.points[index];
            gradients.bias += error;
            for (row, value) in hidden.iter().enumerate() {
                gradients.output[row] += error * value;
                let inner = error * self.output[row] * (1.0 - value * value);
                for (gradient, input) in gradients.input[row].iter_mut().zip([x, y, 1.0]) {
                    *gradient += inner * input;
                }
            }
        }
        freed(MemoryDevice::Host, activations.hidden.as_ptr() as u64, size_of_val(&*activations.hidden) as u64);
        gradients
    }

    #[instrument(category = Optimizer)]
    fn update(&mut self, gradients: &Gradients) {
        for (weights, gradients) in self.input.iter_mut().zip(&gradients.input) {
            for (weight, gradient) in weights.iter_mut().zip(gradients) {
                *weight -= RATE * BATCH as f32 * 0.2 * gradient;
            }
        }
        for (weight, gradient) in self.output.iter_mut().zip(&gradients.output) {
            *weight -= RATE * gradient;
        }
        self.bias -= RATE * gradients.bias;
    }

    /// Loss and the part that is guessed right.
    fn evaluate(activations: &Activations, batch: &Batch) -> (f64, f64) {
        let _evaluate = EVALUATE.start();
        let pairs = || activations.guesses.iter().zip(&batch.labels);
        let loss = |(guess, label): (&f32, &f32)| -f64::from((1.0 - (guess - label).abs()).max(1e-6).ln());
        let right = pairs().filter(|(guess, label)| (*guess - *label).abs() < 0.5).count();
        (pairs().map(loss).sum::<f64>() / BATCH as f64, right as f64 / BATCH as f64)
    }
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "recordings".to_owned());
    name_thread("trainer");
    let (send, batches) = mpsc::sync_channel(4);
    let loader = std::thread::Builder::new().name("loader".to_owned()).spawn(move || {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        for number in 0..STEPS {
            let batch = make_batch(number, &mut random);
            if send.send(batch).is_err() {
                break;
            }
        }
    })?;
    let mut profiler = Profiler::new(Options::new(format!("{folder}/raw")))
        .scheduler(Scheduler::cycle(Cycle { wait: 20, warm_up: 2, active: 20, repeat: 2, ..Cycle::default() }))
        .on_trace_ready(export_compact(folder))
        .start()?;
    let mut network = Network::new(&mut Random(0x2545_F491_4F6C_DD1D));
    let mut lately = 0.0;
    while let Ok(batch) = profiler.read(|| batches.recv()) {
        let activations = network.forward(&batch);
        let (loss, right) = Network::evaluate(&activations, &batch);
        counter("loss", loss);
        let gradients = network.backward(&batch, &activations);
        network.update(&gradients);
        lately = lately * 0.9 + right * 0.1;
        profiler.step_with(BATCH as u64)?;
        if batch.number % 100 == 99 {
            mark!("progress", step = batch.number, loss = loss, right = right);
            println!(
                "step {}: loss {loss:.3}, {:.0} % right, {}",
                batch.number,
                lately * 100.0,
                profiler.step_info("points")
            );
        }
    }
    if let Some(summary) = profiler.summary("points") {
        println!("{summary}");
    }
    print!("{}", timer_table());
    profiler.stop()?;
    loader.join().map_err(|_| std::io::Error::other("the loader panicked"))
}
