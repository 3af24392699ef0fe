import type { Settings } from './kubernetes.ts';

/** What kubespray is told. With another installer texts are empty and lists have no entry. */
export interface Kubespray {
  /** Its tag, like `v2.28.1`. */
  readonly version: string;
  readonly source: KubespraySource;
  /** The folder of its checkout on the Ansible server: absolute, or `~/…` in the home of who logs in there. */
  readonly tree: string;
  /** The virtual environment of this tag on the Ansible server. */
  readonly venv: string;
  /** The Python that the virtual environment is made with: a name in the path or an absolute path. */
  readonly python: string;
  /** Folder on the Ansible server that pip takes every package from, or empty: its index. */
  readonly wheels: string;
  readonly networkPlugin: string;
  readonly containerManager: 'containerd' | 'crio' | 'docker';
  /** Names and addresses in the API servers' certificates beside those that kubespray adds; sorted. */
  readonly certificateSans: readonly string[];
  readonly renewal: {
    readonly automatic: boolean;
    /** systemd's OnCalendar, or empty: kubespray's. */
    readonly calendar: string;
  };
  /** What stands for every public host; empty: the public ones. */
  readonly offline: {
    /** URL of a server that mirrors files under the names of their hosts. */
    readonly files: string;
    /** Registry, and a path in it. */
    readonly registry: string;
  };
  /** Machine with etcd → the name of its member; stays the same when machines come, go or change places. */
  readonly etcdMembers: Readonly<Record<string, string>>;
  /** Passed to kubespray as they are; plain JSON data. */
  readonly variables: Settings;
  /** Group, by its name since v2.16, → what it alone is told. */
  readonly groupVariables: Readonly<Record<string, Settings>>;
  /** Machine → what it alone is told. */
  readonly hostVariables: Readonly<Record<string, Settings>>;
}

/** Where its files come from, and which they have to be whenever it is called. */
export type KubespraySource =
  /** Somebody else put it there. */
  | ({ readonly kind: 'path' } & GitIds)
  | ({ readonly kind: 'git'; readonly url: string } & GitIds)
  /** A tar archive on the Ansible server, and its SHA-256 in hex. */
  | { readonly kind: 'archive'; readonly path: string; readonly sha256: string };

interface GitIds {
  /** 40 digits of hex; empty where the definition names a tree, or another installer is used. */
  readonly commit: string;
  /** The id that git gives to its files, where it is known before the commit is seen; else empty. */
  readonly tree: string;
}
