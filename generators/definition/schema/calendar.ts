import type { ValueJudge } from './key.ts';
import { show } from './judges.ts';

/** Times of systemd.time(7): what this takes, systemd takes. Seconds have no fractions, and no year is named. */
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
  return year === '*' && more.length === 0 && isNumbers(month, 1, 12) && isNumbers(day, 1, 31);
}

function isTime(text: string): boolean {
  const [hour = '', minute = '', second = '0', ...more] = text.split(':');
  return more.length === 0 && isNumbers(hour, 0, 23) && isNumbers(minute, 0, 59) && isNumbers(second, 0, 59);
}

/** `*`, numbers and ranges, each repeated every so often: `*`, `2`, `1..5`, `0/6`, `8,20`. */
const isNumbers = (text: string, least: number, most: number): boolean =>
  text === '*' ||
  text.split(',').every((part) => {
    const { from = '', to = from, step = '1' } = /^(?<from>\d{1,2})(?:\.\.(?<to>\d{1,2}))?(?:\/(?<step>\d{1,2}))?$/.exec(part)?.groups ?? {};
    const [first, last, every] = [from, to, step].map(Number);
    return from !== '' && Number(first) >= least && Number(last) >= Number(first) && Number(last) <= most && Number(every) >= 1;
  });
