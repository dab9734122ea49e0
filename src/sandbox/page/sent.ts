/** The strip "What Slack sent": the latest deliveries to the app, and how the app answered. */
import { el } from './element.ts'
import { icon } from './icon.ts'
import { type Item, keep } from './keep.ts'
import type { Delivery } from './state.ts'

export interface Sent {
  readonly element: HTMLElement
  show(deliveries: readonly Delivery[], app: string): void
}

/** `shut` is called when the person folds the strip away. */
export function sent(shut: () => void): Sent {
  const about = el('p', { class: 'sent-about' })
  const rows = el('ol', { class: 'sent-list' })
  const none = el('p', { class: 'sent-none' }, 'Nothing yet. Press a button in a message, or type a command.')
  const fold = el('button', { type: 'button', class: 'plain', 'aria-label': 'Fold away' }, icon('close'))
  fold.addEventListener('click', shut)
  const element = el(
    'aside',
    { class: 'sent', id: 'sent', 'data-testid': 'sent', 'aria-label': 'What Slack sent' },
    el('header', {}, el('h2', {}, 'What Slack sent'), fold),
    about,
    rows,
    none,
  )

  function show(deliveries: readonly Delivery[], app: string): void {
    about.textContent = `Signed requests to ${app}, newest first. It has three seconds to answer each.`
    none.hidden = deliveries.length > 0
    keep(rows, deliveries.map(item))
  }

  return { element, show }
}

function item(delivery: Delivery): Item {
  const { n, at, kind, what, status, ms, trouble } = delivery
  const good = trouble === undefined && status !== undefined && status >= 200 && status < 300
  const draw = (): HTMLElement => {
    const waits = status === undefined && trouble === undefined
    const answer = el(
      'span',
      { class: `status ${waits ? 'waits' : good ? 'good' : 'bad'}` },
      status?.toString() ?? (waits ? '…' : '✕'),
    )
    const detail = [kind, clock(at), ms === undefined ? '' : `${Math.round(ms)}\u00a0ms`]
      .filter((part) => part !== '')
      .join(' · ')
    const main = el('div', {}, el('div', { class: 'sent-what' }, what), el('div', { class: 'sent-detail' }, detail))
    if (trouble !== undefined) main.append(el('div', { class: 'sent-trouble' }, trouble))
    return el('li', { 'data-delivery': String(n) }, answer, main)
  }
  return { key: String(n), mark: JSON.stringify(delivery), draw }
}

function clock(iso: string): string {
  const at = new Date(iso)
  const style = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  return Number.isNaN(at.getTime()) ? '' : new Intl.DateTimeFormat(undefined, style).format(at)
}
