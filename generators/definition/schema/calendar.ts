import type { ValueJudge } from './key.ts';
import { show } from './judges.ts';

/** Times of systemd.time(7): what this takes, systemd takes, and it comes. Seconds have no fractions, and no year is named. */
export const calendarEvent: ValueJudge<string> = (value) =>
  value.length <= 200 && isEvent(value)
    ? undefined
    : {
        wrong: `${show(value)} is no calendar event of systemd`,
        right: 'daily, "Sat 02:00", "Mon..Fri 22:30" or "*-*-01 04:00 UTC"; `systemd-analyze calendar` explains one',
      };

const words = ['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'semiannually', 'yearly'];

function isEvent(value: string): boolean {
  const parts = value.split(' ');
  if (isZone(parts.at(-1) ?? '')) parts.pop();
  if (parts.length === 1 && words.includes(parts[0] ?? '')) return true;
  const judges = [isWeekdays, isDate, isTime];
  // Each part stands at most once, and in this order.
  for (const judge of judges) if (judge(parts[0] ?? '')) parts.shift();
  return parts.length === 0 && value !== '' && !isZone(value);
}

/** Of a time zone whose name is sound; whether the server knows it, it says when the timer is installed. */
const isZone = (text: string): boolean =>
  /^(?:UTC|(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Z]\w*(?:[/-][A-Z]\w*)*)$/.test(text);

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const isWeekdays = (text: string): boolean =>
  text.split(',').every((part) => {
    const [from = '', to = from, ...more] = part.split('..');
    return more.length === 0 && weekdays.includes(from) && weekdays.indexOf(to) >= weekdays.indexOf(from);
  });

function isDate(text: string): boolean {
  const [year, month = '', day = '', ...more] = text.split('-');
  const days = numbersOf(day, 1, 31);
  const isThere = numbersOf(month, 1, 12).some((each) => days.some((number) => number <= (longestMonth[each - 1] ?? 0)));
  return year === '*' && more.length === 0 && isThere;
}

const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isTime(text: string): boolean {
  const [hour = '', minute = '', second = '0', ...more] = text.split(':');
  return more.length === 0 && [numbersOf(hour, 0, 23), numbersOf(minute, 0, 59), numbersOf(second, 0, 59)].every(({ length }) => length > 0);
}

/** What `*`, numbers and ranges mean, each repeated every so often: `*`, `2`, `1..5`, `0/6`, `8,20`; nothing where one of them is none. */
function numbersOf(text: string, least: number, most: number): readonly number[] {
  if (text === '*') return Array.from({ length: most - least + 1 }, (_, index) => least + index);
  const parts = text.split(',').map((part) => rangeOf(part, least, most));
  return parts.every(({ length }) => length > 0) ? parts.flat() : [];
}

function rangeOf(part: string, least: number, most: number): readonly number[] {
  const { from = '', to, step } =
    /^(?<from>\d{1,2})(?:\.\.(?<to>\d{1,2}))?(?:\/(?<step>\d{1,2}))?$/.exec(part)?.groups ?? {};
  const [first, every] = [Number(from), Number(step ?? 1)];
  const last = Number(to ?? (step === undefined ? from : most));
  // Where no end is written, systemd refuses a step that leads nowhere.
  const isSound = from !== '' && first >= least && last >= first && last <= most && every >= 1 && (step === undefined || to !== undefined || first + every <= most);
  return isSound ? Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, index) => first + index * every) : [];
}
