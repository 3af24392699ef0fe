import { kindTable, type ObjectScope } from './kind-table.ts';

export interface ObjectKind {
  /** Like `v1` or `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
}

/** What a version of Kubernetes makes of a kind. */
export type KindVerdict =
  | { readonly known: true; readonly scope: ObjectScope }
  /** `instead`: where the kind is served in that version; empty: it is not. */
  | { readonly known: false; readonly why: string; readonly instead: string };

/**
 * Judges a kind by Kubernetes' own API for a version like `1.37.2` (from its deprecation guide and API reference, 1.20 to
 * 1.37). What brings kinds of its own, like cert-manager, is unknown here and has to be marked as custom.
 */
export function judgeKind({ apiVersion, kind }: ObjectKind, version: string): KindVerdict {
  const minor = minorOf(version);
  const rows = kindTable.filter((row) => row.kind === kind);
  const row = rows.find((each) => each.apiVersion === apiVersion);
  if (row !== undefined && isServed(row, minor)) return { known: true, scope: row.scope };
  const instead = rows.findLast((each) => isServed(each, minor))?.apiVersion ?? '';
  return { known: false, why: whyNot(row, { apiVersion, kind, minor }), instead };
}

interface KindSpan {
  readonly from: number;
  readonly until: number;
}

const isServed = ({ from, until }: KindSpan, minor: number): boolean => minor >= from && minor <= until;

function whyNot(
  row: KindSpan | undefined,
  { apiVersion, kind, minor }: ObjectKind & { readonly minor: number },
): string {
  if (row === undefined) return `Kubernetes itself has no ${kind} of ${apiVersion}`;
  return minor > row.until
    ? `${kind} of ${apiVersion} was removed in Kubernetes 1.${Math.max(row.until + 1, 16)}`
    : `${kind} of ${apiVersion} comes with Kubernetes 1.${row.from}`;
}

export const minorOf = (version: string): number => Number(version.split('.')[1] ?? 0);
