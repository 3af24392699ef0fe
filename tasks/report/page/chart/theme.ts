import { useEffect, useState } from '../dom.ts';

export type Theme = 'system' | 'light' | 'dark';

const key = 'playsmith-theme';

/** What the reader chose, kept where the browser keeps such things; a file opened from disk may keep nothing. */
export function useTheme(): readonly [theme: Theme, next: () => void] {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    document.dispatchEvent(new Event('playsmith-theme'));
    try {
      localStorage.setItem(key, theme);
    } catch {
      // Kept for as long as the page is open.
    }
  }, [theme]);
  return [
    theme,
    () => {
      setTheme(following[theme]);
    },
  ];
}

const following = { system: 'light', light: 'dark', dark: 'system' } as const;

function storedTheme(): Theme {
  try {
    const found = localStorage.getItem(key);
    return found === 'light' || found === 'dark' ? found : 'system';
  } catch {
    return 'system';
  }
}

/** Counts up whenever colours change: by the reader, by the system, and for paper. */
export function useColours(): number {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const again = (): void => {
      setTurn((before) => before + 1);
    };
    system.addEventListener('change', again);
    document.addEventListener('playsmith-theme', again);
    return () => {
      system.removeEventListener('change', again);
      document.removeEventListener('playsmith-theme', again);
    };
  }, []);
  return turn;
}

/** The value of a colour of the style sheet, as it is now. */
export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
