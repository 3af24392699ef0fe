import { join } from 'node:path';
import type { Result } from '../../generators/result.ts';
import type { LabFailure } from '../machine/lab-failure.ts';
import { filesFolder } from '../machine/place.ts';
import { calicoImages, calicoModule, makeCalico } from './calico.ts';
import { ciliumImages, ciliumModule, helm, makeCilium } from './cilium.ts';
import { sources } from './compile.ts';
import { packConformance, testImages, testsFolder } from './conformance.ts';
import type { ImageRecipe } from './recipe.ts';
import type { Extra, LabRelease } from './releases.ts';
import type { Build } from './step.ts';

interface ExtraRecipe {
  readonly images: readonly ImageRecipe[];
  /** The folders of its go.mod files. */
  readonly sources: (release: LabRelease) => readonly string[];
  /** The folder of its scripts. */
  readonly scripts: string;
  /** Before images are packed. */
  readonly make?: (build: Build) => Promise<Result<void, LabFailure>>;
  /** After all others. */
  readonly pack?: (build: Build) => Promise<Result<void, LabFailure>>;
}

export const extras: Readonly<Record<Extra, ExtraRecipe>> = {
  calico: {
    images: calicoImages,
    sources: () => [join(sources, calicoModule.folder)],
    scripts: join(filesFolder, 'calico'),
    make: makeCalico,
  },
  cilium: {
    images: ciliumImages,
    sources: () => [ciliumModule, helm].map(({ folder }) => join(sources, folder)),
    scripts: join(filesFolder, 'cilium'),
    make: makeCilium,
  },
  conformance: {
    images: testImages,
    sources: (release) => [join(sources, testsFolder(release))],
    scripts: join(filesFolder, 'conformance'),
    pack: packConformance,
  },
};

/** The images of some of them, or only those of a set. */
export const extraImages = (wanted: readonly Extra[], set?: ImageRecipe['set']): readonly ImageRecipe[] =>
  wanted.flatMap((name) => extras[name].images).filter((image) => set === undefined || image.set === set);
