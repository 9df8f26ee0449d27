/** Secrets that may end up in a log line. */
const secrets = [
  /\bBearer\s+\S+/gi,
  /\bsk-[\w-]{8,}/g,
  /("?(?:x-api-key|api[-_]?key|authorization|token|password)"?\s*[:=]\s*)("[^"]*"|(?:Basic\s+)?\S+)/gi,
  /(\/\/)[^/\s:@]+:[^/\s@]+@/g,
];

/** Replaces what looks like a secret; every log line passes through it. */
export function redact(text: string): string {
  return secrets.reduce(
    (line, pattern) =>
      line.replace(pattern, (_: string, prefix: unknown) =>
        typeof prefix === 'string' ? `${prefix}[redacted]` : '[redacted]',
      ),
    text,
  );
}
