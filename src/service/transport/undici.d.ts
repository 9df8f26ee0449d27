// undici has no types for its inner modules, and its main module replaces the process-wide dispatcher.
declare module 'undici/lib/dispatcher/agent.js' {
  import type Agent from 'undici/types/agent';

  const agent: typeof Agent;
  export default agent;
}
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import type ProxyAgent from 'undici/types/proxy-agent';

  const proxyAgent: typeof ProxyAgent;
  export default proxyAgent;
}
declare module 'undici/lib/api/api-request.js' {
  import type Dispatcher from 'undici/types/dispatcher';

  const request: (
    this: Dispatcher,
    options: Dispatcher.RequestOptions & { origin: string },
  ) => Promise<Dispatcher.ResponseData>;
  export default request;
}
declare module 'undici/lib/api/api-connect.js' {
  import type Dispatcher from 'undici/types/dispatcher';

  const connect: Dispatcher['connect'];
  export default connect;
}
