/*
 * Stepscope's recorder for C, C++ and all languages that can call C.
 *
 *     uint32_t forward = stepscope_name("forward");            // once: numbers of names stay valid
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
 * Events are written to the process's file at once: a killed program's recording shows its finished and its open spans. A
 * forked child is recorded into its own file. `stepscope summary recordings` and the page open the folder;
 * `stepscope recover` and stepscope_recover make one compact file of it.
 *
 * All functions may be called from any thread, at any time, and do nothing while nothing is recorded (a load and a
 * branch). None keeps a pointer, exits or throws, and only stepscope_print_… print. After a returned error,
 * stepscope_last_error has the message. Texts are UTF-8; a null pointer is an empty text unless documented otherwise.
 *
 * This interface is stable: functions are only added.
 */
#ifndef STEPSCOPE_H
#define STEPSCOPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. stepscope_abi_version() returns the library's, which must not be less. New functions
 * increase it by one. */
#define STEPSCOPE_ABI_VERSION 5u

uint32_t stepscope_abi_version(void);

/* The library's version, such as "0.2.0". */
const char *stepscope_version(void);

/* --- errors ------------------------------------------------------------------------------------------------------- */

enum stepscope_error {
    STEPSCOPE_OK = 0,
    STEPSCOPE_ERROR_ARGUMENT = -1, /* an argument is invalid */
    STEPSCOPE_ERROR_STATE = -2,    /* not now: this process is being recorded already */
    STEPSCOPE_ERROR_SYSTEM = -3,   /* a system call failed: no such folder, no space, no permission */
    STEPSCOPE_ERROR_INTERNAL = -4  /* an error in the library itself */
};

/* Message of this thread's latest error; empty if there was none. Valid until its next error. */
const char *stepscope_last_error(void);

/* --- recording ---------------------------------------------------------------------------------------------------- */

/*
 * Starts to record this process, and the children that it forks. The options are JSON, all of them optional:
 *
 *     {"output": "recordings",             the folder
 *      "make_output": true,                make it if it does not exist; if false, no recording starts without it
 *      "clock": "monotonic",               or "counter": the processor's, cheaper to read
 *      "segment_bytes": 1048576,           bytes that a thread allocates at a time
 *      "ahead": false,                     a thread makes segments ahead of time: spans cost less on a disk
 *      "keep": {"seconds": 30, "bytes": 100000000},      a flight recorder: only the latest events
 *      "targets": ["nvtx", "cuda", "python", "memory"],  further sources to record; all by default
 *      "command": "masked",                the command line with secrets masked; "none": not recorded
 *      "facts": {"experiment": "17"}}      shown with the recording
 *
 * Null: the options of the variable STEPSCOPE_OPTIONS. With "start":true there, as under `stepscope record`, recording
 * begins with the first call of this library and ends with the process. Then this function only makes the folder,
 * stepscope_stop does nothing, and stepscope_recover of the folder takes the process's events so far; the file notes this.
 * Returns 0 or an error.
 */
int32_t stepscope_start(const char *options);

/* Stops recording. Open spans are recorded if their threads close them. */
void stepscope_stop(void);

/*
 * Leaves CUDA to another profiler that is about to begin in this process, until stepscope_cuda_rearm. What was recorded so far is kept;
 * CUDA's activity until then is not recorded, and a mark says so. Returns 1 if CUDA was recorded and is left, else 0.
 */
int32_t stepscope_cuda_release(void);

/*
 * Resumes recording of CUDA after another profiler has ended, which cannot always be detected. Before version 13.3, CUDA
 * has only one profiler per process. Returns 1 if CUDA is recorded again, else 0.
 */
int32_t stepscope_cuda_rearm(void);

/* Whether this process is being recorded: 1 or 0. */
int32_t stepscope_is_recording(void);

/*
 * Copies the path of this process's recording, truncated to `size` bytes including a terminating zero; returns the
 * full length, 0 while there is none.
 */
size_t stepscope_path(char *buffer, size_t size);

/* Makes a compact file (.stepscope) of a raw recording (.steprec) or a folder of them. Returns 0 or an error. */
int32_t stepscope_recover(const char *recordings, const char *output);

/* --- spans -------------------------------------------------------------------------------------------------------- */

/* The number of a name: constant for the life of the process, in all its recordings and forked children. */
uint32_t stepscope_name(const char *name);

/* Category of a span, used by the analyses of phases, steps and data loading. */
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
 * Opens a span of a stepscope_category on this thread, with a number chosen by the program. Returns the span for
 * stepscope_end, 0 while nothing is recorded. Spans may be closed in any order, but on the thread that opened them.
 */
uint64_t stepscope_begin(uint32_t name, uint32_t category, uint64_t value);

/* Closes a span, once. 0 and spans of another recording or thread are ignored; another thread's are counted. */
void stepscope_end(uint64_t span);

/* Closes a span without recording it, if it is this thread's innermost one. Any other span is still recorded. */
void stepscope_discard(uint64_t span);

/* Changes an open span's number. */
void stepscope_set_value(uint64_t span, uint64_t value);

/* Arguments of an open span: keys are names. Recorded at once, so that they survive a kill. */
void stepscope_argument_int(uint64_t span, uint32_t key, int64_t value);
void stepscope_argument_uint(uint64_t span, uint32_t key, uint64_t value);
void stepscope_argument_double(uint64_t span, uint32_t key, double value);
void stepscope_argument_bool(uint64_t span, uint32_t key, int32_t value);
void stepscope_argument_text(uint64_t span, uint32_t key, const char *value);

/* For callers that cannot store a span: closes this thread's innermost one of that name; returns whether one was open. */
int32_t stepscope_end_named(uint32_t name);

/* The same for any name. */
int32_t stepscope_end_innermost(void);

/* --- steps -------------------------------------------------------------------------------------------------------- */

/*
 * Ends this thread's step, if one is open, and begins the next one; returns the number of the one that begins, from 0.
 * `samples`: number of samples of the step that ends, 0 if unknown. The analyzer computes throughput from it.
 */
uint64_t stepscope_step(uint64_t samples);

/* Ends this thread's step without beginning another: after the last iteration. whole = 0: the step is not recorded. */
void stepscope_end_step(int32_t whole);

/* --- other events ------------------------------------------------------------------------------------------------- */

/* An instant event, with a number chosen by the program; stepscope_mark_signed allows negative ones. */
void stepscope_mark(uint32_t name, uint64_t value);
void stepscope_mark_signed(uint32_t name, int64_t value);

/* A counter's value from now on. */
void stepscope_counter(uint32_t name, double value);

/* An operation that belongs to no thread: a request, a copy in the background. Name and id identify it. */
void stepscope_async_begin(uint32_t name, uint64_t id);
void stepscope_async_end(uint32_t name, uint64_t id);

/* A flow from the span that is open here, through others, to the one where it ends; on any threads. */
void stepscope_flow_start(uint32_t name, uint64_t id);
void stepscope_flow_step(uint32_t name, uint64_t id);
void stepscope_flow_end(uint32_t name, uint64_t id);

/* Memory of a device, by its number, or of the host: -1. */
#define STEPSCOPE_HOST (-1)
void stepscope_allocated(int32_t device, uint64_t address, uint64_t bytes);
void stepscope_freed(int32_t device, uint64_t address, uint64_t bytes);

/* Names this thread from now on; by default it has the system's name. */
void stepscope_name_thread(const char *name);

/* --- timers ------------------------------------------------------------------------------------------------------- */

/*
 * Named timers, like Paddle's REGISTER_TIMER and REGISTER_TIMER_INFO: count and duration of an operation. Also spans while the process is being
 * recorded. They count during recording, or always after stepscope_count_timers(1).
 */
void stepscope_count_timers(int32_t always);

/* Start a timer on this thread, and end its innermost one of that name; the latter returns whether one ran. */
void stepscope_timer_begin(const char *name);
int32_t stepscope_timer_end(const char *name);

/* The same as stepscope_timer_begin, with a text about this time, such as sizes: an argument `info` of its span. */
void stepscope_timer_begin_info(const char *name, const char *info);

/*
 * Print the statistics of a timer, or of all, to standard error, in the layout of Paddle's StatSet (printStatus,
 * printAllStatus): times in milliseconds. A timer that never ended prints nothing.
 */
void stepscope_print_status(const char *name);
void stepscope_print_all_status(void);

/*
 * Writes the same into a buffer, truncated to `size` bytes including a terminating zero; a null name means all timers.
 * Returns the full length, 0 for a timer that never ended.
 */
size_t stepscope_timer_status(const char *name, char *buffer, size_t size);

/* Resets all timers. */
void stepscope_reset_timers(void);

/* --- only for the Python package ---------------------------------------------------------------------------------- */

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
    Timer(const char *name, const char *info) : name_(name) { stepscope_timer_begin_info(name_, info); }
    ~Timer() { stepscope_timer_end(name_); }
    Timer(const Timer &) = delete;
    Timer &operator=(const Timer &) = delete;

private:
    const char *name_;
};

/*
 * Records for a scope, like Paddle's REGISTER_GPU_PROFILER. Needs no GPU; within another recording, that one continues.
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

/* For the rest of the scope. The name must outlive the scope. */
#define STEPSCOPE_JOINED_(a, b) a##b
#define STEPSCOPE_JOINED(a, b) STEPSCOPE_JOINED_(a, b)
#define STEPSCOPE_REGISTER_TIMER(name) ::stepscope::Timer STEPSCOPE_JOINED(stepscope_timer_at_, __LINE__)(name)
#define STEPSCOPE_REGISTER_TIMER_INFO(name, info) ::stepscope::Timer STEPSCOPE_JOINED(stepscope_timer_at_, __LINE__)(name, info)
#define STEPSCOPE_REGISTER_PROFILER(options) ::stepscope::Recording STEPSCOPE_JOINED(stepscope_recording_at_, __LINE__)(options)
#endif

#endif
