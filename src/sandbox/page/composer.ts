/** The box that takes slash commands. Only commands are sent: the app hears nothing else of what people write. */
import { el, put } from './element.ts'
import { icon } from './icon.ts'
import { act } from './server.ts'

export interface Composer {
  readonly element: HTMLElement
  show(as: string, conversation: string, label: string, app: string): void
}

const COMMAND = '/approvals'

/** `ended` is called after each command that was answered. */
export function composer(ended: () => void): Composer {
  const drafts = new Map<string, string>()
  let at = { as: '', conversation: '' }
  let sending = false
  const box = el('textarea', { rows: '1', 'data-testid': 'composer', spellcheck: 'false', autocomplete: 'off' })
  const send = el('button', { type: 'submit', class: 'send', 'aria-label': 'Send', 'data-testid': 'send' }, icon('send'))
  const offerApp = el('span', { class: 'offer-app' })
  const offer = el(
    'button',
    { type: 'button', class: 'offer', hidden: true, 'data-testid': 'offer' },
    el('strong', {}, COMMAND),
    el('span', {}, 'run_2 lists what a run waits for'),
    offerApp,
  )
  const trouble = el('p', { class: 'trouble', role: 'alert', 'data-testid': 'composer-trouble' })
  const hint = el('p', { class: 'composer-hint' }, el('kbd', {}, 'Enter'), ' sends. Only commands are heard here.')
  const element = el('form', { class: 'composer' }, trouble, offer, el('div', { class: 'composer-box' }, box, send), hint)

  const key = (): string => `${at.as} ${at.conversation}`
  const draw = (): void => {
    const typed = box.value.trim()
    drafts.set(key(), box.value)
    offer.hidden = !(typed.startsWith('/') && COMMAND.startsWith(typed) && typed !== COMMAND)
    send.classList.toggle('ready', typed !== '')
    send.classList.toggle('busy', sending)
    put(send, { 'aria-busy': sending && 'true' })
    put(box, { 'aria-busy': sending && 'true' })
  }

  async function run(): Promise<void> {
    const typed = box.value.trim()
    if (typed === '' || sending) return
    trouble.textContent = ''
    if (!typed.startsWith('/')) {
      trouble.textContent = `Only commands are heard here, such as ${COMMAND} run_2.`
      return
    }
    const from = at
    sending = true
    draw()
    const answer = await act('command', { ...from, text: typed })
    sending = false
    if (answer.ok) drafts.delete(`${from.as} ${from.conversation}`)
    if (from.as === at.as && from.conversation === at.conversation) {
      if (answer.ok) box.value = ''
      else trouble.textContent = failure(typed.split(/\s/)[0] ?? typed, answer.error ?? 'unknown')
    }
    draw()
    ended()
  }

  element.addEventListener('submit', (event) => {
    event.preventDefault()
    void run()
  })
  box.addEventListener('input', () => {
    trouble.textContent = ''
    draw()
  })
  box.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void run()
    } else if (event.key === 'Tab' && !offer.hidden) {
      event.preventDefault()
      offer.click()
    }
  })
  offer.addEventListener('click', () => {
    box.value = `${COMMAND} `
    box.focus()
    draw()
  })

  function show(as: string, conversation: string, label: string, app: string): void {
    element.hidden = conversation === ''
    offerApp.textContent = app
    put(box, { placeholder: `Message ${label}. Try ${COMMAND} run_2`, 'aria-label': `Message ${label}` })
    if (as === at.as && conversation === at.conversation) return
    at = { as, conversation }
    box.value = drafts.get(key()) ?? ''
    trouble.textContent = ''
    draw()
  }

  return { element, show }
}

/** Slack's own words for a command that nobody has, and for one that failed. */
function failure(command: string, error: string): string {
  if (error === 'invalid_command') return `${command} is not a valid command. Try ${COMMAND}.`
  return `${command} failed with the error "${error}"`
}
