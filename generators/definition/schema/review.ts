import { defaults } from '../defaults.ts';
import { matching } from './judges.ts';
import { text } from './key.ts';

const reviewMode = matching(
  /^(?:optional|required|pushed:[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w./-]*)$/,
  'none of optional, required and pushed:<remote>/<branch>',
  'required',
);

export const review = text(reviewMode, {
  description:
    '`required`: only what is committed in git is run. `pushed:<remote>/<branch>`: and only a commit that is on that branch of the remote, which is asked',
  examples: ['required', 'pushed:origin/main'],
  default: defaults.review,
}).optional();
