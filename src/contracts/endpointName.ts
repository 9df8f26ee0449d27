import { labelText } from '../base/format/text';
import { modelLabel } from './chatModels';

/** What names an endpoint: the service gives it no name of its own. */
interface NamedEndpoint {
  readonly id: string;
  readonly modelId?: string | undefined;
  readonly modelDisplayName?: string | undefined;
}

/** `GLM 5.2 #3f2a`: the model, and the end of the id, by which two endpoints of one model differ; the same everywhere. */
export function endpointName({ id, modelDisplayName, modelId }: NamedEndpoint): string {
  const model = modelDisplayName ?? (modelId && modelLabel(modelId));
  return labelText(model === undefined ? id : `${labelText(model, 80)} #${id.slice(-4)}`);
}
