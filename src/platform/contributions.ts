import { contribute, editorMenu, localized, outsideReview } from './commands/contribute';

export const contributions = contribute({
  activationEvents: ['onStartupFinished'],
  restriction: 'In an untrusted workspace, Splice merges, searches and compacts with its local engines only. Nothing is sent to the service except text that you classify yourself.',
  submenus: [{ id: editorMenu, label: localized('menu.editor', 'Splice'), menu: 'editor/context', group: '9_cutcopypaste@9', when: outsideReview }],
  others: { viewsContainers: { activitybar: [{ id: 'splice', title: localized('view.container', 'Splice'), icon: 'media/splice.svg' }] } },
});
