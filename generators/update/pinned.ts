import { setAt, textAt, type ValueAt } from '../source/edits.ts';
import { components, type Component } from './components.ts';

/** A component as a definition names it. */
export interface PinnedComponent {
  readonly component: Component;
  readonly version: string;
  /** The checksum beside it; undefined: the definition has none. */
  readonly sum: string | undefined;
  /** Where the definition says that it comes from; undefined: from its project. */
  readonly url: string | undefined;
  /** The manifest or chart beside the definition that is of this version; undefined: hosts fetch it. */
  readonly file: string | undefined;
}

/** What the text of a definition without problems names by version. */
export const pinnedIn = (text: string): readonly PinnedComponent[] =>
  components.flatMap((component) => {
    const of = (key: string): string | undefined => textAt(text, component.at, key);
    const version = of('version');
    const file = of('manifest') ?? of('chart');
    return version === undefined ? [] : [{ component, version, sum: of('sha256'), url: of('url'), file }];
  });

export interface Target {
  readonly version: string;
  /** Empty where the definition has none. */
  readonly sum: string;
}

/** The text with another version of a component, its checksum, and the version in the address where it comes from. */
export function pinAgain(
  text: string,
  { component, version, sum, url }: PinnedComponent,
  to: Target,
): string {
  const { at } = component;
  const values: readonly ValueAt[] = [
    { at, key: 'version', value: to.version },
    ...(url === undefined ? [] : [{ at, key: 'url', value: url.replaceAll(version, to.version) }]),
    ...(sum === undefined ? [] : [{ at, key: 'sha256', value: to.sum }]),
  ];
  return values.reduce(setAt, text);
}
