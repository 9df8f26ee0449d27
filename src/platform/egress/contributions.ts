import { contribute } from '../commands/contribute';

export const contributions = contribute({
  commands: { 'splice.privacy.showSent': ['Show What Was Sent'] },
});
