import { problemAt, type Finding } from '../../../source/finding.ts';
import { hole, type Facts } from '../facts.ts';
import { repetitions } from '../node/repeated.ts';

/** Each registry stands once, and whoever asks there by name has a password. */
export function registries({ draft }: Facts): readonly Finding[] {
  const all = (draft.containerd?.registries ?? []).flatMap((registry, index) =>
    registry ? [{ ...registry, written: registry, path: ['containerd', 'registries', index] }] : [],
  );
  return [
    ...repetitions(all, ({ host }) => host).map(([{ path, host = '' }]) =>
      problemAt([...path, 'host'], `${host} is listed twice`, 'each registry once'),
    ),
    ...all
      .filter(({ written, user, password }) =>
        password === undefined
          ? user !== undefined && !hole(written, 'password')
          : user === undefined && !hole(written, 'user'),
      )
      .map(({ path, user }) =>
        user === undefined
          ? problemAt([...path, 'user'], '`password` needs a user: `user` is missing', 'user: puller')
          : problemAt(
              [...path, 'password'],
              `no password is given for ${user}: \`password\` is missing`,
              'password: { env: REGISTRY_PASSWORD }',
            ),
      ),
  ];
}
