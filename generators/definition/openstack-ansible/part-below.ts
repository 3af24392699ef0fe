/** The part of a URL that stands behind another one; none where it is not below it. */
export const partBelow = (url: string, files: string): string | undefined => {
  const root = files.replace(/\/*$/, '/');
  return url.startsWith(root) ? url.slice(root.length).replace(/\/$/, '') : undefined;
};
