//! The scan itself: on, back to a quote, and on again.

use super::{
    Behind, DamagedPart, MOST_RETURNS, MOST_WORK, Machine, Next, Repair, Repaired, Rules, Stack, Step, Stop, look,
};
use crate::fault::FaultKind;
use crate::scanner::PADDING;

impl<'a> Machine<'a> {
    pub(super) fn new(text: &'a [u8], behind: Behind, place: DamagedPart) -> Self {
        Self {
            text,
            behind,
            place,
            rules: Rules::ALL[0],
            at: 0,
            stack: Stack::default(),
            repaired: Repaired::default(),
            choices: Vec::new(),
            returns: 0,
            work: 0,
            farthest: (0, Stack::default()),
            ended: false,
            other_ends: false,
            doubtful: None,
        }
    }

    pub(super) fn restart(&mut self, rules: Rules) {
        self.rules = rules;
        self.at = 0;
        self.stack = Stack::default();
        self.repaired = Repaired::default();
        self.choices.clear();
        self.returns = 0;
        self.farthest = (0, Stack::default());
    }

    pub(super) fn finish(&mut self) -> Repaired {
        let mut repaired = std::mem::take(&mut self.repaired);
        repaired.end = self.at;
        repaired.text.resize(repaired.text.len() + PADDING, 0);
        repaired
    }

    pub(super) fn run(&mut self) -> Step<()> {
        let mut next = match self.place {
            DamagedPart::Element => Next::Value,
            DamagedPart::Member => {
                // As if the outer object had just been opened.
                self.stack.push(true);
                Next::Key
            }
        };
        loop {
            let step = match next {
                Next::Key => self.key(),
                Next::Value => self.value(),
                Next::Behind => self.behind_value(),
                Next::Done => return Ok(()),
            };
            next = match step {
                Ok(next) => next,
                Err(Stop::Failed) => {
                    if self.at >= self.farthest.0 {
                        self.farthest = (self.at, self.stack);
                    }
                    if !self.may_lie_in_a_string() {
                        return Err(Stop::Failed);
                    }
                    self.go_back()?
                }
                Err(stop) => {
                    self.ended |= stop == Stop::Ended;
                    self.farthest = (self.at, self.stack);
                    return Err(stop);
                }
            };
        }
    }

    /// Whether a wrong end of a string explains why the scan failed: then its right end comes up as a quote where
    /// none is due, or behind the whole object. (Paddle writes a bracket in front of that.)
    pub(super) fn may_lie_in_a_string(&self) -> bool {
        self.stack.depth == self.outermost() || matches!(self.text.get(self.at), Some(b'"' | b'['))
    }

    /// How deep it is behind the object or member.
    pub(super) fn outermost(&self) -> u32 {
        match self.place {
            DamagedPart::Element => 0,
            DamagedPart::Member => 1,
        }
    }

    /// Takes the last quote that ended a string for a part of the text, and goes on from there.
    pub(super) fn go_back(&mut self) -> Step<Next> {
        while let Some(choice) = self.choices.pop() {
            self.returns += 1;
            if self.returns > MOST_RETURNS || self.work > MOST_WORK {
                return Err(Stop::Failed);
            }
            self.repaired.text.truncate(choice.written);
            self.repaired.repairs.truncate(choice.repairs);
            self.stack = choice.stack;
            match self.string_behind(choice) {
                Err(Stop::Failed) => {}
                Ok(()) => return Ok(Next::Behind),
                Err(stop) => {
                    self.ended |= stop == Stop::Ended;
                    return Err(stop);
                }
            }
        }
        Err(Stop::Failed)
    }

    /// The byte at hand.
    pub(super) fn byte(&self) -> Step<u8> {
        match self.text.get(self.at) {
            Some(byte) => Ok(*byte),
            None => self.end_of_text(),
        }
    }

    /// What it means that there is no more text.
    pub(super) fn end_of_text<T>(&self) -> Step<T> {
        Err(match self.behind {
            Behind::More => Stop::NeedMore,
            Behind::Limit => Stop::Failed,
            Behind::Nothing => Stop::Ended,
        })
    }

    /// Copies white space.
    pub(super) fn space(&mut self) {
        let end = look::skip_space(self.text, self.at);
        self.copy(end - self.at);
    }

    pub(super) fn copy(&mut self, len: usize) {
        self.work += len;
        self.repaired.text.extend_from_slice(&self.text[self.at..self.at + len]);
        self.at += len;
    }

    pub(super) fn write(&mut self, text: &[u8]) {
        self.repaired.text.extend_from_slice(text);
    }

    /// Remembers the first repair of each kind.
    pub(super) fn note(&mut self, kind: FaultKind, at: usize, expected: &'static str) {
        if self.repaired.repairs.iter().all(|repair| repair.kind != kind) {
            self.repaired.repairs.push(Repair { kind, at, expected });
        }
    }
}
