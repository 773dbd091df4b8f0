//! `--range`: a part of the time, as the user writes it.

use std::str::FromStr;

use stepscope::present::text::parse_duration;
use stepscope::{Interval, Nanos, Rank};

use crate::grid::printable;
use crate::result::Result;

/// A part of the time: two points from the trace's start, or a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RangeOption {
    /// From a point, or from the start, to a point, or to the end.
    Times(Option<Nanos>, Option<Nanos>),
    /// The step of that name.
    Step(String),
}

impl FromStr for RangeOption {
    type Err = String;

    fn from_str(text: &str) -> Result<Self> {
        if let Some(name) = text.strip_prefix("step:") {
            return Ok(Self::Step(name.to_owned()));
        }
        let (from, to) = text.split_once("..").ok_or("it is neither FROM..TO, as in 12ms..15ms, nor step:NAME")?;
        let point = |text: &str| match text.trim() {
            "" => Ok(None),
            "0" => Ok(Some(Nanos::ZERO)),
            text => parse_duration(text).map(Some).ok_or(format!("`{text}` is no time such as 50us, 0.5ms or 1s")),
        };
        match (point(from)?, point(to)?) {
            (Some(from), Some(to)) if from >= to => Err("it ends before it begins".to_owned()),
            (from, to) => Ok(Self::Times(from, to)),
        }
    }
}

impl RangeOption {
    /// Its interval in a rank.
    pub(crate) fn of(&self, rank: &Rank) -> Result<Interval> {
        match self {
            Self::Times(from, to) => {
                let all = rank.trace.span();
                let span = Interval::new(from.unwrap_or(all.start), to.unwrap_or(all.end));
                if span.intersection(all).is_empty() {
                    return Err(format!("{}: the range lies outside of it", printable(&rank.file)));
                }
                Ok(span)
            }
            Self::Step(name) => {
                let found = rank.analysis.steps.steps.iter().find(|step| step.name == *name);
                let found = found.ok_or_else(|| format!("{}: it has no step `{name}`", printable(&rank.file)))?;
                Ok(found.span)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_as_people_write_them() {
        let times = |from: Option<i64>, to: Option<i64>| Ok(RangeOption::Times(from.map(Nanos), to.map(Nanos)));
        assert_eq!("12ms..15ms".parse(), times(Some(12_000_000), Some(15_000_000)));
        assert_eq!("1.2s..".parse(), times(Some(1_200_000_000), None));
        assert_eq!(" ..50 us".parse(), times(None, Some(50_000)));
        assert_eq!("0..1ns".parse(), times(Some(0), Some(1)));
        assert_eq!("..".parse(), times(None, None));
        assert_eq!("step:Profiler..Step#3".parse(), Ok(RangeOption::Step("Profiler..Step#3".to_owned())));
        for wrong in ["12ms", "15ms..12ms", "1ms..1ms", "12..15", "-1ms..2ms", "a..b", ""] {
            assert!(wrong.parse::<RangeOption>().is_err(), "{wrong}");
        }
    }
}
