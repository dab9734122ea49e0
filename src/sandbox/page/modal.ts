/**
 * The open modal: the topmost view of the person's stack. Blocks that did not change stay the same elements, and what a
 * person wrote survives both an update of the view and a view pushed on top of it, as it does in Slack.
 */
import { drawBlock } from './block.ts'
import { el, put } from './element.ts'
import { appAvatar, icon } from './icon.ts'
import { drawInput, fieldOf } from './input.ts'
import { bag, text } from './json.ts'
import { type Item, keep } from './keep.ts'
import { act, errorWords } from './server.ts'
import type { View } from './state.ts'
import type { Surface } from './surface.ts'
import { plain } from './words.ts'

/** What the page gives the modal. */
export interface ModalHost {
  readonly as: () => string
  readonly app: () => string
  /** Something was sent: look again. */
  readonly ended: () => void
}

export interface Modal {
  readonly element: HTMLDialogElement
  /** Shows the last of the views, or closes. `mark` is what the drawing depends on beyond the view. */
  show(views: readonly View[], surface: (view: string) => Surface, mark: (view: string) => string, trouble?: string): void
}

interface Sheet {
  readonly body: HTMLElement
  readonly drafts: Map<string, string>
  errors: ReadonlyMap<string, string>
  trouble: string | undefined
  sending: boolean
  hash: string
  pressed: boolean
}

/** The modal's dialog; it is in the page all the time and opens when there is a view. */
export function modal(host: ModalHost): Modal {
  const sheets = new Map<string, Sheet>()
  const title = el('h2', {})
  const shut = el('button', { type: 'button', class: 'plain', 'aria-label': 'Close', 'data-testid': 'modal-x' }, icon('close'))
  const slot = el('div', { class: 'dialog-body', tabindex: '-1' })
  const trouble = el('p', { class: 'trouble', role: 'alert', 'data-testid': 'modal-trouble' })
  const cancel = el('button', { type: 'button', class: 'button', 'data-testid': 'modal-close' })
  const submit = el('button', { type: 'submit', class: 'button primary', 'data-testid': 'modal-submit' })
  const form = el(
    'form',
    { novalidate: true },
    el('header', { class: 'dialog-head' }, appAvatar(), title, shut),
    slot,
    trouble,
    el('footer', { class: 'dialog-foot' }, cancel, submit),
  )
  const element = el('dialog', { class: 'dialog modal' }, form)
  let top: View | undefined

  const sheetOf = (view: View): Sheet => {
    const found = sheets.get(view.id)
    if (found !== undefined) return found
    const body = el('div', { class: 'blocks' })
    const made: Sheet = {
      body,
      drafts: new Map(),
      errors: new Map(),
      trouble: undefined,
      sending: false,
      hash: '',
      pressed: false,
    }
    sheets.set(view.id, made)
    return made
  }

  function drawState(view: View, sheet: Sheet, pressTrouble: string | undefined): void {
    for (const line of sheet.body.querySelectorAll<HTMLElement>('[data-error-for]')) {
      const words = sheet.errors.get(line.dataset.errorFor ?? '') ?? ''
      if (line.textContent !== words) line.textContent = words
      line.parentElement?.classList.toggle('wrong', words !== '')
    }
    const unplaced = [...sheet.errors].filter(([block]) => !view.blocks.some((one) => text(bag(one).block_id) === block))
    trouble.textContent = sheet.trouble ?? pressTrouble ?? unplaced.map(([, words]) => words).join(' ')
    submit.classList.toggle('busy', sheet.sending)
    put(submit, { 'aria-busy': sheet.sending && 'true', 'aria-disabled': sheet.sending && 'true' })
  }

  async function send(view: View, sheet: Sheet): Promise<void> {
    if (sheet.sending) return
    const fields = view.blocks.flatMap((block) => fieldOf(block, sheet.drafts.get(draftKey(block))) ?? [])
    sheet.trouble = undefined
    sheet.errors = new Map(fields.flatMap(({ block, fault }) => (fault === undefined ? [] : [[block, fault]])))
    if (sheet.errors.size === 0) {
      sheet.sending = true
      drawState(view, sheet, undefined)
      const values = Object.fromEntries(
        fields.map(({ block, action, value }) => [block, { [action]: value === '' ? null : value }]),
      )
      const answer = await act('submit', { as: host.as(), view: view.id, values })
      sheet.sending = false
      sheet.errors = answer.errors
      if (answer.error !== undefined) sheet.trouble = errorWords(answer.error, host.app())
      host.ended()
    }
    if (top?.id === view.id) drawState(view, sheet, undefined)
    const [first] = sheet.errors.keys()
    if (first !== undefined) sheet.body.querySelector<HTMLElement>(`.input-text[data-block-id="${CSS.escape(first)}"]`)?.focus()
  }

  async function close(view: View): Promise<void> {
    const answer = await act('close', { as: host.as(), view: view.id })
    const sheet = sheetOf(view)
    if (answer.error !== undefined) sheet.trouble = errorWords(answer.error, host.app())
    if (top?.id === view.id) drawState(view, sheet, undefined)
    host.ended()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (top !== undefined && top.submit !== undefined && top.submit !== null) void send(top, sheetOf(top))
  })
  for (const button of [shut, cancel]) {
    button.addEventListener('click', () => {
      if (top !== undefined) void close(top)
    })
  }
  element.addEventListener('cancel', (event) => {
    event.preventDefault()
    if (event.target === element && top !== undefined) void close(top)
  })

  // A browser lets a second Escape through whatever the page says; the view is then closed all the same.
  element.addEventListener('close', () => {
    if (top !== undefined) void close(top)
  })

  function show(
    views: readonly View[],
    surface: (view: string) => Surface,
    mark: (view: string) => string,
    pressTrouble?: string,
  ): void {
    for (const id of sheets.keys()) if (!views.some((view) => view.id === id)) sheets.delete(id)
    const view = views.at(-1)
    const another = view?.id !== top?.id
    top = view
    if (view === undefined) {
      if (element.open) element.close()
      slot.replaceChildren()
      put(element, { 'data-view': undefined })
      return
    }
    const sheet = sheetOf(view)
    title.textContent = plain(view.title)
    put(element, { 'data-view': view.id, 'aria-label': plain(view.title) })
    const submits = view.submit !== undefined && view.submit !== null
    submit.hidden = !submits
    submit.textContent = plain(view.submit) || 'Submit'
    cancel.textContent = plain(view.close) || (submits ? 'Cancel' : 'Close')
    if (slot.firstElementChild !== sheet.body) slot.replaceChildren(sheet.body)
    const pages = sheet.pressed && sheet.hash !== view.hash
    keep(sheet.body, items(view, sheet, surface(view.id), mark(view.id)))
    if (sheet.hash !== view.hash) sheet.pressed = false
    sheet.hash = view.hash
    drawState(view, sheet, pressTrouble)
    if (!element.open) element.showModal()
    if (pages || another) slot.scrollTop = 0
    if (another) (sheet.body.querySelector<HTMLElement>('.input-text') ?? slot).focus({ preventScroll: true })
  }

  return { element, show }
}

function items(view: View, sheet: Sheet, surface: Surface, mark: string): readonly Item[] {
  return view.blocks.map((block, at): Item => {
    const key = text(bag(block).block_id) || `block ${at}`
    if (bag(block).type !== 'input') {
      const noticed = { ...surface, press: notingPress(sheet, surface) }
      return { key, mark: JSON.stringify([block, mark]), draw: () => drawBlock(block, noticed) }
    }
    const draw = (): HTMLElement =>
      drawInput(block, sheet.drafts.get(draftKey(block)), (value) => sheet.drafts.set(draftKey(block), value))
    return { key, mark: JSON.stringify(block), draw }
  })
}

/** A press may turn the page of a long text: the next version of the view is then read from its top. */
function notingPress(sheet: Sheet, surface: Surface): Surface['press'] {
  return (block, action, chosen) => {
    sheet.pressed = true
    surface.press(block, action, chosen)
  }
}

/** Slack keeps a value across an update as long as block id and action id stay the same. */
function draftKey(block: unknown): string {
  return `${text(bag(block).block_id)} ${text(bag(bag(block).element).action_id)}`
}
