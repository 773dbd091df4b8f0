/* A C program that records its steps: `record [FOLDER]`. `stepscope FOLDER` shows where the time goes. */

#include <stdio.h>

#include "stepscope.h"

int main(int count, char **arguments) {
    char options[1024];
    snprintf(options, sizeof options, "{\"output\":\"%s\"}", count > 1 ? arguments[1] : "example.recording");
    if (stepscope_start(options) != STEPSCOPE_OK) {
        fprintf(stderr, "error: %s\n", stepscope_last_error());
        return 1;
    }
    uint32_t load = stepscope_name("load batch"), forward = stepscope_name("forward"), loss = stepscope_name("loss");
    for (int step = 0; step < 5; step++) {
        stepscope_step(32);
        uint64_t span = stepscope_begin(load, STEPSCOPE_DATALOADER, 0);
        double batch[1000], sum = 0;
        for (int i = 0; i < 1000; i++) batch[i] = i * (step + 1) % 7;
        stepscope_end(span);
        span = stepscope_begin(forward, STEPSCOPE_FORWARD, 0);
        for (int i = 0; i < 1000; i++) sum += batch[i];
        stepscope_end(span);
        stepscope_counter(loss, sum / 1000);
    }
    stepscope_end_step(1);
    stepscope_stop();
    return 0;
}
