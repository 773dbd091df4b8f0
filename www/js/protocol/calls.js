// The call tree, as the session gives it.

/**
 * @typedef {object} CallTreeReport
 * @property {number} host_ns the sum over threads
 * @property {number} device_ns the sum over activities that calls of the tree launched
 * @property {number} device_unlinked_ns that of activities without a recorded launch
 * @property {number} steps by how many steps times are divided; the numbers of calls are not
 * @property {number} left_out nodes that take too little to be listed
 * @property {string[]} names
 * @property {{name: number[], parent: number[], class: string[], calls: number[], host_ns: number[], host_self_ns: number[], device_ns: number[], device_self_ns: number[], longest: number[], longest_ns: number[]}} nodes a value per node, each after its parent; `name` is a place in `names`, `parent` -1 of a thread, `longest` an event or -1
 */

export {};
