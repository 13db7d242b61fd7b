//! The scan of all shapes with edges: row by row downward, with the edges that cross the row.

use std::iter;
use std::ops::{ControlFlow, Range};

use super::{Emit, Span};
use crate::geometry::decimal::Decimal;

/// A corner: x and y within the limit.
pub(super) type Corner = (i64, i64);

/// An edge that is followed downward.
pub(super) trait ScanEdge {
    /// The rows that it crosses, not empty.
    fn rows(&self) -> Range<i32>;

    /// Goes on to the next row.
    fn advance(&mut self);
}

/// Calls `row` for each row that one of `edges` crosses, downward, with those edges. Each edge must be at its
/// first row.
pub(super) fn scan<E: ScanEdge>(
    mut edges: Vec<E>,
    mut row: impl FnMut(i32, &[E]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    edges.sort_by_key(|edge| edge.rows().start);
    let mut waiting = edges.into_iter().peekable();
    let mut active: Vec<E> = Vec::new();
    let mut y = i32::MIN;
    loop {
        if active.is_empty() {
            match waiting.peek() {
                Some(next) => y = next.rows().start,
                None => return ControlFlow::Continue(()),
            }
        }
        active.extend(iter::from_fn(|| waiting.next_if(|edge| edge.rows().start <= y)));
        row(y, &active)?;
        y += 1;
        active.retain_mut(|edge| {
            let goes_on = y < edge.rows().end;
            if goes_on {
                edge.advance();
            }
            goes_on
        });
    }
}

/// The x at which an edge crosses one horizontal line after another, a pixel apart. It is a whole number of
/// pixels and the remainder of an exact division, so that no error accumulates.
pub(super) struct Crossing {
    whole: i64,
    rest: i128,
    step_whole: i64,
    step_rest: i128,
    divisor: i128,
}

impl Crossing {
    /// The crossing of the edge between two corners of rising y with the horizontal line at `y`, measured
    /// from `origin`. All numbers are millionths of a pixel.
    pub(super) fn new(from: Corner, to: Corner, y: i64, origin: i64) -> Self {
        let wide = |a: i64, b: i64| i128::from(a) - i128::from(b);
        let (dx, dy) = (wide(to.0, from.0), wide(to.1, from.1));
        let divisor = i128::from(Decimal::PER_PIXEL) * dy;
        let x = wide(from.0, origin) * dy + wide(y, from.1) * dx;
        let step = i128::from(Decimal::PER_PIXEL) * dx;
        Self {
            whole: x.div_euclid(divisor) as i64,
            rest: x.rem_euclid(divisor),
            step_whole: step.div_euclid(divisor) as i64,
            step_rest: step.rem_euclid(divisor),
            divisor,
        }
    }

    /// The whole pixels at or before the crossing, and at or after it.
    pub(super) fn around(&self) -> (i64, i64) {
        (self.whole, self.whole + i64::from(self.rest != 0))
    }

    /// Moves down by a pixel.
    pub(super) fn advance(&mut self) {
        self.whole += self.step_whole;
        self.rest += self.step_rest;
        if self.rest >= self.divisor {
            self.whole += 1;
            self.rest -= self.divisor;
        }
    }
}

/// Joins spans that overlap or touch, and drops empty ones. They must come by rising row and start.
pub(super) struct Joiner<'e> {
    span: Option<Span>,
    emit: &'e mut Emit<'e>,
}

impl<'e> Joiner<'e> {
    /// Passes the joined spans to `emit`.
    pub(super) fn new(emit: &'e mut Emit<'e>) -> Self {
        Self { span: None, emit }
    }

    pub(super) fn add(&mut self, next: Span) -> ControlFlow<()> {
        if next.start >= next.end {
            return ControlFlow::Continue(());
        }
        match &mut self.span {
            Some(span) if span.y == next.y && next.start <= span.end => {
                span.end = span.end.max(next.end);
                ControlFlow::Continue(())
            }
            _ => {
                self.span.replace(next).map_or(ControlFlow::Continue(()), |span| (self.emit)(span))
            }
        }
    }

    /// Passes on the last span.
    pub(super) fn finish(self) -> ControlFlow<()> {
        self.span.map_or(ControlFlow::Continue(()), self.emit)
    }
}
