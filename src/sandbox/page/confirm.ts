/** The dialog that Slack puts before a button with a `confirm` object (docs: "Confirmation dialog object"). */
import { el } from './element.ts'
import { bag } from './json.ts'
import type { Names } from './names.ts'
import { plain, words } from './words.ts'

/** Asks, and resolves to whether the person confirmed. Escape and a click beside the dialog are a no. */
export function confirmed(confirm: unknown, names: Names): Promise<boolean> {
  const { title, text, confirm: yes, deny: no, style } = bag(confirm)
  const accept = el(
    'button',
    { type: 'button', class: `button ${style === 'danger' ? 'solid-danger' : 'primary'}`, 'data-testid': 'confirm-yes' },
    plain(yes) || 'Yes',
  )
  const refuse = el('button', { type: 'button', class: 'button', 'data-testid': 'confirm-no' }, plain(no) || 'Cancel')
  const dialog = el(
    'dialog',
    { class: 'dialog small', 'data-testid': 'confirm', 'aria-label': plain(title) || 'Are you sure?' },
    el('header', { class: 'dialog-head' }, el('h2', {}, plain(title) || 'Are you sure?')),
    el('div', { class: 'dialog-body words' }, ...words(text, names)),
    el('footer', { class: 'dialog-foot' }, refuse, accept),
  )
  return new Promise((resolve) => {
    accept.addEventListener('click', () => dialog.close('yes'))
    refuse.addEventListener('click', () => dialog.close())
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close()
    })
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'yes')
    })
    document.body.append(dialog)
    dialog.showModal()
  })
}
