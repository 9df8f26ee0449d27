export const endpointsView = 'splice.endpoints';

export const contextKeys = {
  hasEndpoints: 'splice:hasEndpoints',
  endpointsOff: 'splice:endpointsOff',
} as const;
