"""The columns of the tables that the analyzer describes.

Written by a test: STEPSCOPE_BLESS=1 cargo test -p stepscope-tests --test layers.
"""

DESCRIBED = {
    "operators": "input rank name class shapes types stack thread calls host_total_ns host_self_ns host_mean_ns host_min_ns host_max_ns device_total_ns device_self_ns device_total_sum_ns device_self_sum_ns",
    "kernel_families": "input rank family calls total_ns share_of_kernel_time mean_ns names largest",
    "kernels": "input rank name calls total_ns share_of_kernel_time cumulative_share_of_kernel_time mean_ns median_ns min_ns max_ns std_ns variation class blocks_per_sm blocks_per_sm_coverage occupancy_percent occupancy_percent_coverage tensor_cores tensor_core_use",
    "kernel_use.kernels": "input rank name calls total_ns share_of_kernel_time cumulative_share_of_kernel_time mean_ns median_ns min_ns max_ns std_ns variation class blocks_per_sm blocks_per_sm_coverage occupancy_percent occupancy_percent_coverage tensor_cores tensor_core_use operator grid block family launches launch.device launch.calls launch.total_ns launch.grid launch.block launch.registers launch.shared_memory launch.occupancy.share launch.occupancy.limiter launch.occupancy.blocks launch.occupancy.fitting.warps launch.occupancy.fitting.blocks launch.occupancy.fitting.registers launch.occupancy.fitting.shared_memory launch.occupancy.warps_per_block launch.occupancy.warps launch.occupancy.registers_per_block launch.occupancy.shared_memory_per_block launch.waves.blocks launch.waves.at_once launch.waves.waves launch.waves.last launch.waves.tail theoretical_occupancy theoretical_occupancy_coverage tail tail_coverage computed_flops flops_per_second flops_per_second_coverage share_of_peak share_of_peak_coverage",
    "copies": "input rank name class calls total_ns mean_ns median_ns min_ns max_ns bytes gigabytes_per_second gigabytes_per_second_coverage peak_gigabytes_per_second share_of_peak share_of_peak_coverage",
    "steps": "input rank name mark start_ns end_ns length_ns host_start_ns host_end_ns host_length_ns activities partial warmup graph captures counted covered inference.kind inference.requests inference.tokens device_busy_share categories.kernel_ns categories.memcpy_ns categories.memset_ns categories.communication_ns categories.runtime_ns categories.dataloader_ns categories.cpu_ns categories.other_ns categories_before_first_activity.runtime_ns categories_before_first_activity.dataloader_ns categories_before_first_activity.cpu_ns categories_before_first_activity.other_ns categories_before_first_activity.total_ns phases.dataloader.calls phases.dataloader.host_ns phases.dataloader.device_ns phases.optimizer.calls phases.optimizer.host_ns phases.optimizer.device_ns phases.backward.calls phases.backward.host_ns phases.backward.device_ns phases.forward.calls phases.forward.host_ns phases.forward.device_ns phases.other.calls phases.other.host_ns phases.other.device_ns",
    "cause_functions": "input rank name mean_ns share wording slice",
    "critical_path.rows": "input rank class name pieces total_ns share longest_slice longest_start_ns longest_end_ns",
    "data_loading.steps": "input rank name start_ns waits total_ns longest_ns longest_slice waiting_ns host_step_ns waiting_share_of_host_step exposed_ns exposed_share_of_step",
    "data_loading.queues": "input rank name batches times_empty empty_share mean_ready max_ready",
    "pipeline.operators": "input rank id type workers queue_mean_size queue_capacity queue_usage times_empty times_full samples parent children limits_pipeline",
    "idle.long_gaps.longest": "input rank idle_row device start_ns length_ns class cause before.slice before.name after.slice after.name call.slice call.name host.activity host.shown_by.slice host.shown_by.name host.data_loading_ns host.synchronization_ns host.allocation_ns host.launching_ns host.operator_ns host.python_ns host.range_ns host.unrecorded_ns host.start_late_unexplained_ns",
    "idle.edges": "input rank idle_row device start_ns length_ns class cause before.slice before.name after.slice after.name call.slice call.name host.activity host.shown_by.slice host.shown_by.name host.data_loading_ns host.synchronization_ns host.allocation_ns host.launching_ns host.operator_ns host.python_ns host.range_ns host.unrecorded_ns host.start_late_unexplained_ns",
    "launches.names": "input rank name calls activities short slow blocked delayed queued before_first_activity late cpu_ns cpu_max_ns gpu_ns delay_ns delay_mean_ns delay_max_ns",
    "launches.slowest": "input rank slice name start_ns activities cpu_ns gpu_ns delay_ns late_by_ns",
    "launches.latest": "input rank slice name start_ns activities cpu_ns gpu_ns delay_ns late_by_ns",
    "queues": "input rank device stream calls limit blocked_ns waiting.start_ns waiting.end_ns waiting.mean waiting.max in_flight.start_ns in_flight.end_ns in_flight.mean in_flight.max",
    "memory.places.operators": "input rank memory.places_row name allocations releases allocated_bytes released_bytes net_bytes total_allocations total_releases total_allocated_bytes total_released_bytes total_net_bytes",
    "memory.places.live_at_peak.operators": "input rank memory.places_row name blocks bytes",
    "memory.places.blocks.largest": "input rank memory.places_row address bytes allocated_ns released_ns lifetime_ns allocated_by.slice allocated_by.name released_by.slice released_by.name",
    "memory.recorded_operators": "input rank name blocks bytes",
    "memory.recorded_blocks": "input rank name device bytes allocated_ns released_ns lifetime_ns",
    "memory.planned.tensors": "input rank memory.planned_row name bytes type shape data_type format first_index last_index at_peak",
    "range.names": "input rank name class share count begun sum_ns union_ns self_ns mean_ns min_ns max_ns longest",
    "range.changes": "input rank name class count.other count.this count.change sum_ns.other sum_ns.this sum_ns.change union_ns.other union_ns.this union_ns.change",
    "cluster.rows": "cluster_row rank iteration_interval_ns computation_ns communication_alone_ns stage_ns receive_alone_ns collective_alone_ns flops flops_per_second",
    "cluster.links": "cluster_row rank link type time_ns bytes bytes_per_second",
    "job.groups": "job_row name description ranks ranks_told size parallel parallel_source",
    "job.stages": "job_row stage ranks stage_ns compute_ns receive_alone_ns collective_alone_ns above_mean",
    "graphs": "input rank graph iterations total_ns mean_ns min_ns max_ns forward_and_backward_ns tail_ns activities",
    "collectives": "operation group group_ranks group_size count matched incomplete parts total_ns transfer_ns wait_ns mean_skew_ns max_skew_ns bytes algorithm_bytes_per_second bus_bytes_per_second",
    "job.links": "job_row from to across_hosts count bytes transfer_ns wait_ns bytes_per_second",
}
