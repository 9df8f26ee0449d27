import { contribute, localized } from './commands/contribute';

export const contributions = contribute({
  activationEvents: ['onStartupFinished'],
  restriction: 'In an untrusted workspace, Splice merges, searches and compacts with its local engines only. Nothing is sent to the service except text that you classify yourself.',
  others: { viewsContainers: { activitybar: [{ id: 'splice', title: localized('view.container', 'Splice'), icon: 'media/splice.svg' }] } },
});
