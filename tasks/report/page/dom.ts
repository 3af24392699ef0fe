/** The one place that takes from the library which draws elements. */
export { render, type ComponentChildren, type JSX } from 'preact';
export { useEffect, useMemo, useRef, useState } from 'preact/hooks';
