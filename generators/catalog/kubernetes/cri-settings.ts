import { compareVersions, lineOf } from './version.ts';

/** What owns a setting of containerd's CRI: since containerd 2 there are three plugins, before there was `cri` alone. */
export type CriPlugin = 'cri' | 'images' | 'runtime' | 'server';

/**
 * The plugin of a release of containerd that knows a single setting; undefined: none does, and containerd ignores it in
 * silence. An empty version, the distribution's package: any that ever knew it.
 */
export function criPlugin(setting: string, version: string): CriPlugin | undefined {
  if (version === '') return rows.find(({ names }) => names.includes(setting))?.plugin;
  return rows.find((row) => row.names.includes(setting) && isWithin(row, lineOf(version)))?.plugin;
}

/** True when a release of containerd is told by `bin_dirs` where the CNI plugins lie; `bin_dir` is unknown since 2.4. */
export const knowsBinDirs = (version: string): boolean => compareVersions(lineOf(version), '2.1') >= 0;

/** The settings that a release knows, for a proposal. */
export const criSettings = (version: string): readonly string[] => [
  ...new Set(
    rows.filter((row) => version === '' || isWithin(row, lineOf(version))).flatMap(({ names }) => names),
  ),
];

interface CriRow {
  readonly plugin: CriPlugin;
  readonly names: readonly string[];
  /** The first and the last line that has it; empty: the newest has it. */
  readonly from: string;
  readonly until: string;
}

const isWithin = ({ from, until }: CriRow, line: string): boolean =>
  compareVersions(line, from) >= 0 && (until === '' || compareVersions(line, until) <= 0);

const row = (plugin: CriPlugin, names: string, from = '2.0', until = ''): CriRow => ({
  plugin,
  names: names.split(' '),
  from,
  until,
});

/** Known by 1.7 and by containerd 2 alike. */
const runtime =
  'device_ownership_from_security_context disable_apparmor disable_hugetlb_controller disable_proc_mount drain_exec_sync_io_timeout enable_selinux enable_unprivileged_icmp enable_unprivileged_ports ignore_image_defined_volumes max_container_log_line_size netns_mounts_under_state_dir restrict_oom_score_adj selinux_category_range tolerate_missing_hugetlb_controller unset_seccomp_profile';
const images =
  'image_pull_progress_timeout image_pull_with_sync_fs max_concurrent_downloads stats_collect_period';
const server = 'disable_tcp_service stream_idle_timeout';

/**
 * Fields of one value. Source: `PluginConfig` of pkg/cri/config/config.go of containerd 1.7.35; `ImageConfig`,
 * `RuntimeConfig` and `ServerConfig` of internal/cri/config/config.go of 2.0.14, 2.1.9, 2.2.9, 2.3.7 and 2.4.2, which
 * belong to io.containerd.cri.v1.images, io.containerd.cri.v1.runtime and io.containerd.grpc.v1.cri. Since 2.3 the
 * runtime has a `stats_collect_period` too, a text: that of the images, a number, is the one that 1.x had. Read on 2026-11-23.
 */
const rows: readonly CriRow[] = [
  row('images', images),
  row('images', 'snapshotter disable_snapshot_annotations discard_unpacked_layers'),
  row('images', 'concurrent_layer_fetch_buffer use_local_image_pull', '2.1'),
  row('runtime', runtime),
  row('runtime', 'enable_cdi', '2.0', '2.3'),
  row('runtime', 'enable_criu', '2.2'),
  row('runtime', 'enable_experimental_restore_via_create', '2.2', '2.3'),
  row('runtime', 'stats_retention_period', '2.3'),
  row('server', server),
  row('cri', `${runtime} ${images} ${server} enable_cdi disable_cgroup systemd_cgroup`, '1.0', '1.7'),
];
