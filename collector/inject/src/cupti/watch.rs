//! Checks whether CUPTI still works for us: before 13.3, or with an older driver, it has one client, the last one to
//! register.
//!
//! There is no notification when another client comes or goes. Two effects are visible. A call to the driver (the
//! canary) is stamped by our registered clock if any client records calls, unless the other client registered a clock
//! of its own. Its record arrives here if we are that client. Registering again while another client records would take
//! its records away and harm the program, so that is done only when no client records.

/// Number of checks without records before another client is reported to have taken over.
const SUSPICIONS: u32 = 2;

/// Number of checks (some 0.4 s each) before registering again if it is unknown whether the other client has ended: a
/// minute.
const PATIENCE: u32 = 150;

/// Observations since the last check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// A non-empty buffer arrived.
    pub(super) delivered: bool,
    /// The canary's record arrived.
    pub(super) canary: bool,
    /// The canary was stamped by our clock.
    pub(super) stamped: bool,
    pub(super) clock: ClockOf,
}

/// Owner of the clock that CUPTI reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClockOf {
    Us,
    /// The system's, which no client registered.
    System,
    Other,
}

/// Action after a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Nothing,
    /// Report that another client took over.
    TellTaken,
    /// Register again.
    Rearm,
}

/// State from earlier checks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Watch {
    /// A canary has arrived once: before that, its absence means nothing.
    proven: bool,
    suspicions: u32,
    taken: bool,
    quiet: u32,
    /// Checks to wait before registering again, and checks since the last registration.
    pause: u32,
    waited: u32,
}

impl Watch {
    /// Whether a canary has arrived once.
    pub(super) fn is_proven(&self) -> bool {
        self.proven
    }

    /// The action for these observations.
    pub(super) fn look(&mut self, seen: Seen) -> Action {
        self.waited += 1;
        self.proven |= seen.canary;
        if seen.delivered || seen.canary {
            let Self { proven, pause, waited, .. } = *self;
            // A registration that works only for a while may be lost at once again.
            *self = Self { proven, pause: if waited > PATIENCE { 0 } else { pause }, waited, ..Self::default() };
            return Action::Nothing;
        }
        if !self.proven {
            return Action::Nothing;
        }
        if seen.stamped || seen.clock == ClockOf::Other {
            self.quiet = 0;
            return self.suspect();
        }
        // No client's calls are recorded.
        self.quiet += 1;
        let needed = if seen.clock == ClockOf::Us { 2 } else { PATIENCE };
        if self.quiet < needed {
            return if seen.clock == ClockOf::System { self.suspect() } else { Action::Nothing };
        }
        if self.waited < self.pause {
            return Action::Nothing;
        }
        self.quiet = 0;
        self.waited = 0;
        self.pause = (self.pause * 2).clamp(1, PATIENCE);
        Action::Rearm
    }

    fn suspect(&mut self) -> Action {
        self.suspicions += 1;
        if self.suspicions < SUSPICIONS || self.taken {
            return Action::Nothing;
        }
        self.taken = true;
        Action::TellTaken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE: Seen = Seen { delivered: true, canary: false, stamped: false, clock: ClockOf::Us };
    const CANARY: Seen = Seen { delivered: false, canary: true, stamped: true, clock: ClockOf::Us };
    /// Another client records, and reads our clock.
    const TAKEN: Seen = Seen { delivered: false, canary: false, stamped: true, clock: ClockOf::Us };
    const FREE: Seen = Seen { stamped: false, ..TAKEN };

    fn actions(watch: &mut Watch, seen: Seen, times: usize) -> Vec<Action> {
        (0..times).map(|_| watch.look(seen)).filter(|action| *action != Action::Nothing).collect()
    }

    #[test]
    fn another_client_is_told_once_and_left_alone_until_it_ends() {
        let mut watch = Watch::default();
        assert_eq!(actions(&mut watch, CANARY, 3), []);
        assert_eq!(actions(&mut watch, FINE, 3), []);
        assert_eq!(actions(&mut watch, TAKEN, 1), []);
        assert_eq!(actions(&mut watch, TAKEN, 1000), [Action::TellTaken]);
        assert_eq!(actions(&mut watch, FREE, 2), [Action::Rearm]);
        assert_eq!(actions(&mut watch, FINE, 1), []);
        assert_eq!(actions(&mut watch, TAKEN, 2), [Action::TellTaken], "it may come again");
    }

    #[test]
    fn a_client_with_a_clock_of_its_own_is_never_disturbed() {
        let mut watch = Watch::default();
        actions(&mut watch, CANARY, 1);
        let other = Seen { clock: ClockOf::Other, ..FREE };
        assert_eq!(actions(&mut watch, other, 10_000), [Action::TellTaken]);
    }

    #[test]
    fn where_nobody_can_tell_a_minute_passes() {
        let mut watch = Watch::default();
        actions(&mut watch, CANARY, 1);
        let unknown = Seen { clock: ClockOf::System, ..FREE };
        assert_eq!(actions(&mut watch, unknown, PATIENCE as usize - 1), [Action::TellTaken]);
        assert_eq!(actions(&mut watch, unknown, 1), [Action::Rearm]);
    }

    #[test]
    fn without_a_canary_nothing_is_concluded() {
        let mut watch = Watch::default();
        assert_eq!(actions(&mut watch, FINE, 1), []);
        assert_eq!(actions(&mut watch, TAKEN, 1000), []);
        assert_eq!(actions(&mut watch, FREE, 1000), []);
    }

    #[test]
    fn registering_in_vain_becomes_rare() {
        let mut watch = Watch::default();
        actions(&mut watch, CANARY, 1);
        let rearmed = actions(&mut watch, FREE, 1000).len();
        assert!((8..=16).contains(&rearmed), "{rearmed} times");
    }
}
