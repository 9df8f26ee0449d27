// npm run service: a stand-in of the service on loopback, for the features that have no local engine.
//   --speed N   how much faster than real time its clock runs; 60 brings an endpoint up in 14 seconds
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { installDependencies } from '../test/support/runner/dependencies.mjs';
import { root } from '../test/support/runner/layout.mjs';
import { run } from '../test/support/runner/run.mjs';

const usualPort = 8140;

/** Builds and starts it. `howTo` says how to point Splice at it; no key is set beforehand. */
export async function startService({ speed = 1, port = usualPort } = {}) {
  const built = await run(process.execPath, ['esbuild.mjs', '--only=service'], { cwd: root });
  if (built !== 0) throw new Error('the stand-in could not be built');
  const script = pathToFileURL(path.join(root, 'out/service/serve.js')).href;
  const { demoKey, serve } = await import(script);
  const { url, close } = await serve({ port, speed });
  const howTo = `"Splice: Connect to Service…" asks for both:
  address  ${url}
  key      ${demoKey}`;
  return { url, close, howTo };
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { speed: { type: 'string', default: '1' } } });
  const speed = Number(values.speed);
  if (!(speed >= 0)) throw new Error('--speed must be a number, 0 or more');
  await installDependencies();
  const service = await startService({ speed });
  console.log(`A stand-in of the service, with scripted models and made-up data. In the editor, run:

${service.howTo}

Ctrl+C stops it.`);
  const stop = () => void service.close();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
}
