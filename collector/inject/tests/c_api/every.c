/* Calls every function of the header; compiled as C99 and as C++. The test reads what it recorded. */
#include "stepscope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);       \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

static void nothing_is_recorded(void) {
    uint32_t name = stepscope_name("never");
    CHECK(stepscope_is_recording() == 0);
    CHECK(stepscope_path(NULL, 0) == 0);
    CHECK(stepscope_begin(name, STEPSCOPE_GENERAL, 1) == 0);
    stepscope_end(0);
    stepscope_discard(0);
    stepscope_set_value(0, 1);
    stepscope_argument_int(0, name, -1);
    stepscope_argument_uint(0, name, 1);
    stepscope_argument_double(0, name, 0.5);
    stepscope_argument_bool(0, name, 1);
    stepscope_argument_text(0, name, NULL);
    CHECK(stepscope_end_named(name) == 0 && stepscope_end_innermost() == 0);
    stepscope_mark(name, 1);
    stepscope_counter(name, 1.5);
    stepscope_async_begin(name, 1);
    stepscope_async_end(name, 1);
    stepscope_flow_start(name, 1);
    stepscope_flow_step(name, 1);
    stepscope_flow_end(name, 1);
    stepscope_allocated(STEPSCOPE_HOST, 1, 1);
    stepscope_freed(STEPSCOPE_HOST, 1, 1);
    stepscope_name_thread("never");
    stepscope_name_thread(NULL);
    stepscope_end_step(1);
    CHECK(stepscope_cuda_release() == 0);
    CHECK(stepscope_cuda_rearm() == 0);
    stepscope_timer_begin("never");
    stepscope_timer_begin(NULL);
    stepscope_timer_begin_info(NULL, "none");
    CHECK(stepscope_timer_end("never") == 1 && stepscope_timer_end("never") == 0 && stepscope_timer_end(NULL) == 0);
    CHECK(stepscope_timer_status("never", NULL, 0) == 0);
    stepscope_print_status("never");
    stepscope_stop();
}

static void timers_count(void) {
    char text[1024], one[128];
    size_t length;
    stepscope_count_timers(1);
    stepscope_timer_begin("outer timer");
    stepscope_timer_begin("inner timer");
    stepscope_timer_begin("inner timer");
    /* The outer one first: the order is free. */
    CHECK(stepscope_timer_end("outer timer") == 1 && stepscope_timer_end("outer timer") == 0);
    CHECK(stepscope_timer_end("inner timer") == 1 && stepscope_timer_end("inner timer") == 1);
#ifdef __cplusplus
    { STEPSCOPE_REGISTER_TIMER("inner timer"); }
#else
    stepscope_timer_begin("inner timer");
    stepscope_timer_end("inner timer");
#endif
    length = stepscope_timer_status(NULL, text, sizeof text);
    CHECK(length == strlen(text) && strstr(text, "======= StatSet: [GlobalStatInfo] status ======\nStat=") == text);
    CHECK(strstr(text, "Stat=inner timer ") != NULL && strstr(text, " count=3\n") != NULL);
    CHECK(stepscope_timer_status("outer timer", one, sizeof one) == strlen(one) && strstr(text, one) != NULL);
    stepscope_reset_timers();
    CHECK(stepscope_timer_status("outer timer", NULL, 0) == 0);
    stepscope_count_timers(0);
}

#ifdef __cplusplus
/* A guard within a recording leaves it running; otherwise the guard ends the recording that it began. */
static void guards_record(const char *options, bool is_recording) {
    {
        STEPSCOPE_REGISTER_PROFILER(options);
        CHECK(stepscope_is_recording() == (is_recording ? 1 : 0));
    }
    CHECK(stepscope_is_recording() == (is_recording ? 1 : 0));
}
#endif

static void errors_are_told(const char *folder) {
    CHECK(strcmp(stepscope_last_error(), "") == 0);
    CHECK(stepscope_start("{\"outputs\":\"x\"}") == STEPSCOPE_ERROR_ARGUMENT);
    CHECK(strstr(stepscope_last_error(), "outputs") != NULL);
    CHECK(stepscope_start("{\"output\":\"/dev/null/x\"}") == STEPSCOPE_ERROR_SYSTEM);
    CHECK(strstr(stepscope_last_error(), "/dev/null/x: ") == stepscope_last_error());
    CHECK(stepscope_start("{\"output\":\"/dev/null\"}") == STEPSCOPE_ERROR_SYSTEM);
    CHECK(stepscope_recover(NULL, NULL) == STEPSCOPE_ERROR_ARGUMENT);
    CHECK(stepscope_recover("/dev/null/x", "/dev/null/y") == STEPSCOPE_ERROR_SYSTEM);
    CHECK(strstr(stepscope_last_error(), "/dev/null/y: ") == stepscope_last_error());
    CHECK(folder != NULL);
}

int main(int count, char **arguments) {
    char options[4096], path[4096], short_path[4];
    const char *folder = count == 3 ? arguments[1] : NULL;
    uint64_t outer, inner, dropped;
    uint32_t outer_name, inner_name;

    CHECK(stepscope_abi_version() >= STEPSCOPE_ABI_VERSION);
    CHECK(strlen(stepscope_version()) > 0);
    nothing_is_recorded();
    timers_count();
    errors_are_told(folder);
#ifdef __cplusplus
    guards_record("{\"output\":\"/dev/null/x\"}", false);
#endif

    CHECK(stepscope_name("") == 0 && stepscope_name(NULL) == 0);
    outer_name = stepscope_name("outer");
    inner_name = stepscope_name("inner \xff");
    CHECK(outer_name != 0 && outer_name == stepscope_name("outer") && outer_name != inner_name);

    snprintf(options, sizeof options, "{\"output\":\"%s\",\"facts\":{\"command\":\"every\"}}", folder);
    CHECK(stepscope_start(options) == STEPSCOPE_OK);
    CHECK(stepscope_is_recording() == 1);
    CHECK(stepscope_start(options) == STEPSCOPE_ERROR_STATE);
    CHECK(stepscope_path(path, sizeof path) == strlen(path) && strstr(path, ".steprec") != NULL);
    CHECK(stepscope_path(short_path, sizeof short_path) == strlen(path) && strlen(short_path) == 3);

#ifdef __cplusplus
    guards_record(options, true);
#endif
    stepscope_name_thread("main of C");
    CHECK(stepscope_step(0) == 0);
    outer = stepscope_begin(outer_name, STEPSCOPE_FORWARD, 7);
    inner = stepscope_begin(inner_name, 12345, 0);
    CHECK(outer != 0 && inner != 0 && outer != inner);
    stepscope_mark(stepscope_name("mark"), 5);
    stepscope_mark_signed(stepscope_name("signed"), 6);
    stepscope_mark_signed(stepscope_name("signed"), -1);
    stepscope_counter(stepscope_name("loss"), 0.25);
    stepscope_flow_start(stepscope_name("arrow"), 9);
    /* The outer one first: the order is free. */
    stepscope_set_value(outer, 8);
    stepscope_argument_int(outer, stepscope_name("int"), -3);
    stepscope_argument_uint(outer, stepscope_name("uint"), UINT64_MAX);
    stepscope_argument_double(inner, stepscope_name("double"), 0.5);
    stepscope_argument_bool(inner, stepscope_name("bool"), 7);
    stepscope_argument_text(inner, stepscope_name("text"), "conv1");
    stepscope_argument_text(inner, stepscope_name("text"), NULL);
    stepscope_end(outer);
    stepscope_flow_step(stepscope_name("arrow"), 9);
    stepscope_end(inner);
    dropped = stepscope_begin(stepscope_name("dropped"), STEPSCOPE_GENERAL, 0);
    CHECK(dropped != 0);
    stepscope_discard(dropped);
    stepscope_async_begin(stepscope_name("request"), 3);
    stepscope_allocated(2, 4096, 100);
    stepscope_allocated(STEPSCOPE_HOST, 8192, 50);
    stepscope_freed(2, 4096, 100);
    stepscope_async_end(stepscope_name("request"), 3);
    CHECK(stepscope_step(32) == 1);
    stepscope_begin(outer_name, STEPSCOPE_GENERAL, 1);
    stepscope_begin(inner_name, STEPSCOPE_GENERAL, 2);
    CHECK(stepscope_end_named(outer_name) == 1 && stepscope_end_named(outer_name) == 0);
    CHECK(stepscope_end_innermost() == 1);
    stepscope_flow_end(stepscope_name("arrow"), 9);
    stepscope_end_step(1);
#ifdef __cplusplus
    { STEPSCOPE_REGISTER_TIMER_INFO("timer", "batch 9"); }
#else
    stepscope_timer_begin_info("timer", "batch 9");
    CHECK(stepscope_timer_end("timer") == 1);
#endif
    CHECK(stepscope_step(0) == 2);
    stepscope_end_step(0);
    CHECK(stepscope_end_innermost() == 0);
    stepscope_stop();
    CHECK(stepscope_is_recording() == 0);
    CHECK(stepscope_recover(path, arguments[2]) == STEPSCOPE_OK);
    CHECK(stepscope_recover(folder, arguments[2]) == STEPSCOPE_OK);
    return 0;
}
