import * as vscode from 'vscode';

/** The text behind the line, and a sign in the margin. */
export function findingType(severity: 'error' | 'warning'): vscode.TextEditorDecorationType {
  const color = new vscode.ThemeColor(
    severity === 'error' ? 'editorError.foreground' : 'editorWarning.foreground',
  );
  return vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    gutterIconPath: findingIcon(severity),
    gutterIconSize: 'contain',
    after: { color, margin: '0 0 0 3ch' },
  });
}

/** A filled circle or triangle with an exclamation mark cut out; the colours of VS Code's problems in light and dark. */
function findingIcon(severity: 'error' | 'warning'): vscode.Uri {
  const [color, shape] =
    severity === 'error'
      ? ['#e51400', '<circle cx="8" cy="8" r="6.5"/>']
      : ['#c98a00', '<path d="M8 1.5 15 14.5H1Z"/>'];
  const mark = '<path d="M7.2 5.5h1.6v4.5h-1.6zm0 5.5h1.6v1.6h-1.6z" fill="#fff"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g fill="${color}">${shape}</g>${mark}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}
