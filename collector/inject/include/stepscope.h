/*
 * Stepscope's recorder for C, C++ and all languages that can call C.
 *
 *     uint32_t forward = stepscope_name("forward");            // once: numbers of names are good for ever
 *     stepscope_start("{\"output\":\"recordings\"}");          // or by the variable STEPSCOPE_OPTIONS
 *     for (int step = 0; step < 10; step++) {
 *         uint64_t span = stepscope_begin(forward, STEPSCOPE_FORWARD, 0);
 *         ...
 *         stepscope_end(span);
 *         stepscope_step(batch_size);
 *     }
 *     stepscope_end_step(0);
 *     stepscope_stop();
 *
 * Link with -lstepscope_inject, or load that library at run time.
 *
 * What is recorded is in a file of the process at once: a killed program's recording shows all that it had finished and
 * what was open. A forked child is recorded into a file of its own. `stepscope summary recordings` and the page open the
 * folder; `stepscope recover` and stepscope_recover make one compact file of it.
 *
 * All functions may be called from any thread, at any time, and do nothing while nothing is recorded (a load and a
 * branch). None keeps a pointer, exits or throws, and only stepscope_print_… print; where one is said to return an error, stepscope_last_error
 * tells more. Texts are UTF-8; a null pointer is as an empty text where nothing else is said.
 *
 * Whatever is declared here stays; functions are only added.
 */
#ifndef STEPSCOPE_H
#define STEPSCOPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header; stepscope_abi_version() is the library's, and must not be less: functions that
 * were added count one more. */
#define STEPSCOPE_ABI_VERSION 3u

uint32_t stepscope_abi_version(void);

/* The library's version, such as "0.2.0". */
const char *stepscope_version(void);

/* --- errors ------------------------------------------------------------------------------------------------------- */

enum stepscope_error {
    STEPSCOPE_OK = 0,
    STEPSCOPE_ERROR_ARGUMENT = -1, /* an argument is not what it must be */
    STEPSCOPE_ERROR_STATE = -2,    /* not now: this process is being recorded already */
    STEPSCOPE_ERROR_SYSTEM = -3,   /* the system said no: no such folder, no room, no permission */
    STEPSCOPE_ERROR_INTERNAL = -4  /* a fault of the library's own */
};

/* What this thread's latest error was; empty if there was none. Valid until its next one. */
const char *stepscope_last_error(void);

/* --- recording ---------------------------------------------------------------------------------------------------- */

/*
 * Starts to record this process, and the children that it forks. The options are JSON, all of them optional:
 *
 *     {"output": "recordings",             the folder
 *      "make_output": true,                make it if it is not there; if not, nothing is recorded once it is gone
 *      "clock": "monotonic",               or "counter": the processor's, cheaper to read
 *      "segment_bytes": 1048576,           what a thread takes at a time
 *      "ahead": false,                     a thread that makes segments ahead: spans cost less on a disk
 *      "keep": {"seconds": 30, "bytes": 100000000},      a flight recorder: only the latest
 *      "targets": ["nvtx", "cuda", "python", "memory"],  what else is recorded; all, if it is left out
 *      "command": "masked",                the command line with secrets masked; or "none": not at all
 *      "facts": {"experiment": "17"}}      shown with the recording
 *
 * Null: those of the variable STEPSCOPE_OPTIONS. If that says "start":true, as under `stepscope record`, recording begins
 * by itself with the first call of this library and ends with the process: then this makes the folder alone, stepscope_stop
 * does nothing, and stepscope_recover of the folder takes what this process has recorded so far, which the file says.
 * Returns 0 or an error.
 */
int32_t stepscope_start(const char *options);

/* Stops recording. Spans that are open now are recorded if their threads close them. */
void stepscope_stop(void);

/*
 * CUDA has one profiler per process before version 13.3: while another one works, this one does not. Says that the other one
 * has ended, which cannot always be seen; returns 1 if CUDA is recorded again, 0 if it never was.
 */
int32_t stepscope_cuda_rearm(void);

/* Whether this process is being recorded: 1 or 0. */
int32_t stepscope_is_recording(void);

/*
 * Copies the path of the file that this process is recorded into, cut to `size` bytes with a zero at the end; returns
 * its whole length, 0 while there is none.
 */
size_t stepscope_path(char *buffer, size_t size);

/* Makes a compact file (.stepscope) of a raw recording (.steprec) or a folder of them. Returns 0 or an error. */
int32_t stepscope_recover(const char *recordings, const char *output);

/* --- spans -------------------------------------------------------------------------------------------------------- */

/* The number of a name: the same for as long as the process lives, in all its recordings and forked children. */
uint32_t stepscope_name(const char *name);

/* What a span is for: what the analyses of phases, steps and data loading go by. */
enum stepscope_category {
    STEPSCOPE_GENERAL = 0,
    STEPSCOPE_STEP = 1,       /* a training step; the value is its number */
    STEPSCOPE_DATALOADER = 2, /* waiting for or preparing a batch */
    STEPSCOPE_FORWARD = 3,
    STEPSCOPE_BACKWARD = 4,
    STEPSCOPE_OPTIMIZER = 5,
    STEPSCOPE_OPERATOR = 6,
    STEPSCOPE_COMMUNICATION = 7
};

/*
 * Opens a span on this thread, of a stepscope_category, with a number of the program's; returns what stepscope_end
 * takes, 0 while nothing is recorded. Spans may be closed in any order, but on the thread that opened them.
 */
uint64_t stepscope_begin(uint32_t name, uint32_t category, uint64_t value);

/* Closes a span: each once. 0 does nothing, nor does a span of another recording, or of another thread: that is counted. */
void stepscope_end(uint64_t span);

/* Closes a span that is not to be recorded: this thread's innermost one. Any other one is recorded all the same. */
void stepscope_discard(uint64_t span);

/* Changes an open span's number. */
void stepscope_set_value(uint64_t span, uint64_t value);

/* Arguments of an open span: keys are names. Recorded at once, so that they outlive a kill. */
void stepscope_argument_int(uint64_t span, uint32_t key, int64_t value);
void stepscope_argument_uint(uint64_t span, uint32_t key, uint64_t value);
void stepscope_argument_double(uint64_t span, uint32_t key, double value);
void stepscope_argument_bool(uint64_t span, uint32_t key, int32_t value);
void stepscope_argument_text(uint64_t span, uint32_t key, const char *value);

/* For callers that have no place for a span: closes this thread's innermost one of that name; whether there was one. */
int32_t stepscope_end_named(uint32_t name);

/* The same, whatever its name. */
int32_t stepscope_end_innermost(void);

/* --- steps -------------------------------------------------------------------------------------------------------- */

/*
 * Ends this thread's step, if one is open, and begins the next one; returns the number of the one that begins, from 0.
 * `samples`: how many the step that ends worked on, 0 if that is not known. The analyzer makes throughput of it.
 */
uint64_t stepscope_step(uint64_t samples);

/* Ends this thread's step without another one: after the last round. 0: it is not whole, and is not recorded. */
void stepscope_end_step(int32_t whole);

/* --- other events ------------------------------------------------------------------------------------------------- */

/* A moment, with a number of the program's; the second one's may be negative. */
void stepscope_mark(uint32_t name, uint64_t value);
void stepscope_mark_signed(uint32_t name, int64_t value);

/* A counter's value from now on. */
void stepscope_counter(uint32_t name, double value);

/* An operation that belongs to no thread: a request, a copy in the background. Name and id tell it from others. */
void stepscope_async_begin(uint32_t name, uint64_t id);
void stepscope_async_end(uint32_t name, uint64_t id);

/* An arrow from the span that is open here, through others, to the one where it ends; on whatever threads. */
void stepscope_flow_start(uint32_t name, uint64_t id);
void stepscope_flow_step(uint32_t name, uint64_t id);
void stepscope_flow_end(uint32_t name, uint64_t id);

/* Memory of a device, by its number, or of the host: -1. */
#define STEPSCOPE_HOST (-1)
void stepscope_allocated(int32_t device, uint64_t address, uint64_t bytes);
void stepscope_freed(int32_t device, uint64_t address, uint64_t bytes);

/* Names this thread from now on; without it, it has the name that the system knows. */
void stepscope_name_thread(const char *name);

/* --- timers ------------------------------------------------------------------------------------------------------- */

/*
 * Named timers, as Paddle's REGISTER_TIMER: how often something was done and how long it took. Also spans while the process
 * is being recorded. They count while it is, or always after stepscope_count_timers(1).
 */
void stepscope_count_timers(int32_t always);

/* Starts a timer on this thread; ends this thread's innermost one of that name, and returns whether there was one. */
void stepscope_timer_begin(const char *name);
int32_t stepscope_timer_end(const char *name);

/*
 * Prints to standard error what a timer counted, or all of them, in the layout of Paddle's StatSet (printStatus,
 * printAllStatus): times in milliseconds. A timer that never ended prints nothing.
 */
void stepscope_print_status(const char *name);
void stepscope_print_all_status(void);

/*
 * The same into a buffer, cut to `size` bytes with a zero at the end; a null pointer for all timers. Returns the whole length,
 * 0 for a timer that never ended.
 */
size_t stepscope_timer_status(const char *name, char *buffer, size_t size);

/* Forgets what timers counted. */
void stepscope_reset_timers(void);

/* --- for the Python package alone --------------------------------------------------------------------------------- */

void stepscope_python_init(void *none, void (*increase)(void *), uint64_t (*number)(void *));
void *stepscope_python_enter(void *object, void *nothing);
void *stepscope_python_exit(void *object, void *error);

#ifdef __cplusplus
}

namespace stepscope {

/* A timer for a scope. */
class Timer {
public:
    explicit Timer(const char *name) : name_(name) { stepscope_timer_begin(name_); }
    ~Timer() { stepscope_timer_end(name_); }
    Timer(const Timer &) = delete;
    Timer &operator=(const Timer &) = delete;

private:
    const char *name_;
};

/*
 * Records for a scope, as Paddle's REGISTER_GPU_PROFILER: harmless without a GPU, and within another recording, which continues.
 * The options are those of stepscope_start.
 */
class Recording {
public:
    explicit Recording(const char *options) : mine_(stepscope_start(options) == STEPSCOPE_OK) {}
    ~Recording() {
        if (mine_) stepscope_stop();
    }
    Recording(const Recording &) = delete;
    Recording &operator=(const Recording &) = delete;

private:
    bool mine_;
};

} // namespace stepscope

/* From here to the end of the scope. The name must live as long. */
#define STEPSCOPE_JOINED_(a, b) a##b
#define STEPSCOPE_JOINED(a, b) STEPSCOPE_JOINED_(a, b)
#define STEPSCOPE_REGISTER_TIMER(name) ::stepscope::Timer STEPSCOPE_JOINED(stepscope_timer_at_, __LINE__)(name)
#define STEPSCOPE_REGISTER_PROFILER(options) ::stepscope::Recording STEPSCOPE_JOINED(stepscope_recording_at_, __LINE__)(options)
#endif

#endif
