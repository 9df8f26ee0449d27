/** undici is large, and only needed where VS Code's own fetch is not used. */
export const loadUndici = () => import('./undiciTransport');
