// A column of a table, as views describe it.

/**
 * @template Row
 * @typedef {object} Column
 * @property {string} key stable, for tests and sorting
 * @property {string} title
 * @property {string} [why] shown on hover
 * @property {(row: Row) => string} text as shown
 * @property {(row: Row) => Node | null} [picture] in place of the text, which copies have
 * @property {(row: Row) => number | bigint | string | null} value to sort by, also that of the CSV by default
 * @property {(row: Row) => number | string} [order] to sort by, if not by the value
 * @property {(row: Row) => number} [share] length of a bar in the text's background, from 0 to 1
 * @property {(row: Row) => number | null} [tone] whether the text, which has a sign, is of something worse (above 0) or better
 * @property {'time' | 'count' | 'bytes' | 'share'} [part] quantity of the values, if they are parts of a whole: they add up
 * @property {boolean} [mean] whether the values are mean times, which can be compared but add up to nothing
 * @property {(row: Row) => string} [whole] tooltip of a cell, if that is more than its text
 * @property {boolean} [extra] whether it is hidden until a person wants it
 * @property {boolean | ((row: Row) => boolean)} [optional] whether it is left out where no row has a value, or may get one
 * @property {boolean} [seldom] whether it is left out where all its values are zero
 * @property {boolean} [ofDevice] whether it is left out where no device was recorded and all its values are zero
 * @property {boolean} [left] whether it is text rather than a number
 * @property {number} [width] at least, in rem; else the width of its title and texts
 * @property {number} [weight] its part of the remaining width
 */

export {};
