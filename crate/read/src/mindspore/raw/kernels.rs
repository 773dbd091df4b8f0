//! `kernel_details.csv`: a table of all tasks of an Ascend device.

use stepscope_parse::{Decimal, Delimiter, Rows};

/// Indices of the columns that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    name: usize,
    start: usize,
    length: usize,
    stream: Option<usize>,
    core: Option<usize>,
    kind: Option<usize>,
}

/// A task.
#[derive(Debug, PartialEq)]
pub(super) struct Kernel {
    pub(super) name: String,
    pub(super) start: Decimal,
    pub(super) length: Decimal,
    pub(super) stream: Option<i64>,
    /// Whether it is a collective.
    pub(super) communicates: bool,
}

/// The fields of a line.
fn fields<T>(line: &[u8], of: impl FnOnce(&[&str]) -> Option<T>) -> Option<T> {
    let (mut rows, mut found, mut of) = (Rows::new(Delimiter::Comma), None, Some(of));
    let mut row = |row: stepscope_parse::DelimitedRow<'_>| {
        let fields: Vec<&str> = row.fields.iter().map(|field| field.trim()).collect();
        if let Some(of) = of.take().filter(|_| row.whole) {
            found = of(&fields);
        }
    };
    rows.advance(line, &mut row);
    rows.finish(&mut row);
    found
}

impl Columns {
    /// The columns of a header, if it is one of this table.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        fields(line, |fields| {
            let find = |name: &str| fields.iter().position(|field| *field == name);
            Some(Self {
                name: find("Name")?,
                start: find("Start Time(us)")?,
                length: find("Duration(us)")?,
                stream: find("Stream ID"),
                core: Some(find("Accelerator Core")?),
                kind: find("Type"),
            })
        })
    }

    /// The task of a row; none if the row is cut, or has no time.
    pub(super) fn kernel(&self, line: &[u8]) -> Option<Kernel> {
        fields(line, |fields| {
            let time = |column: usize| Decimal::parse(fields.get(column)?.as_bytes());
            let text =
                |column: Option<usize>| column.and_then(|column| fields.get(column)).copied().unwrap_or_default();
            Some(Kernel {
                name: (*fields.get(self.name)?).to_owned(),
                start: time(self.start)?,
                length: time(self.length)?,
                stream: Decimal::parse(text(self.stream).as_bytes()).and_then(Decimal::to_i64),
                communicates: ["HCCL", "COMMUNICATION"].contains(&text(self.core))
                    || text(self.kind).starts_with("hcom_"),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name() {
        let header = b"Step ID,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Input Shapes";
        let columns = Columns::of(header).expect("a header");
        let row = b"1,\"a,b\",MatMul,AI_CORE,1795230809710992.970\t,12.5,0,\"\"\"16,3\"\"\"";
        let kernel = columns.kernel(row).expect("a kernel");
        assert_eq!((kernel.name.as_str(), kernel.stream, kernel.communicates), ("a,b", None, false));
        assert_eq!((kernel.start.mantissa, kernel.length.mantissa), (1_795_230_809_710_992_970, 125));
        assert!(columns.kernel(b"1,hcom,hcom_allReduce_,HCCL,10,2").expect("a collective").communicates);
        assert!(columns.kernel(b"1,cut,MatMul,AI_CORE,1795").is_none());
        assert!(Columns::of(b"Name,Type,Count").is_none());
    }
}
