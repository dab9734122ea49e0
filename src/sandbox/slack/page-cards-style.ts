/** What the page `/cards` adds to the style sheet: a grid, and a phone's measures wherever it is asked for them. */
const PHONE = `
.button { min-height: 44px; padding-inline: 16px; font-size: 15px; }
.actions .button { flex: 1 0 auto; max-width: 100%; }
.section { flex-wrap: wrap; }
.accessory, .picker { width: 100%; max-width: none; }
`

/** The phone's rules, each for what stands in a selected width only. */
function within(selector: string, rules: string): string {
  return rules.replace(/^\.(.+?) \{/gm, (_, names: string) => {
    const each = names.split(', ').map((name) => `${selector} .${name.replace(/^\./, '')}`)
    return `${each.join(', ')} {`
  })
}

export const cardsStyle = `
.picker { max-width: 260px; appearance: auto; text-align: left; text-overflow: ellipsis; }
body.cards { display: block; height: auto; min-height: 100dvh; overflow: visible; background: var(--sunken); }
.cards-none { padding: 40px; text-align: center; color: var(--dim); }
.cards-bar { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; padding: 10px 20px; background: var(--page); border-bottom: 1px solid var(--line); }
.cards-bar h1 { font-size: 18px; font-weight: 900; }
.cards-bar nav { display: flex; flex: 1; flex-wrap: wrap; gap: 2px; }
.cards-way { padding: 5px 10px; border: 0; border-radius: 6px; background: none; color: var(--dim); font-size: 13px; }
.cards-switch { padding: 5px 12px; border: 1px solid var(--edge); border-radius: 8px; background: var(--page); font-size: 13px; font-weight: 700; }
.cards-switch[aria-pressed=true] { border-color: var(--link); background: var(--mention-bg); color: var(--link); }
main.cards-all { display: block; margin: 0; padding: 4px 20px 60px; border-radius: 0; background: none; overflow: visible; }
.cards-all section { scroll-margin-top: 60px; }
.cards-all h2 { margin: 26px 0 12px; font-size: 20px; font-weight: 900; }
.cards-all .dialog-head h2 { margin: 0; }
.cards-grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(560px, 100%), 1fr)); gap: 18px; align-items: start; }
.exhibit { min-width: 0; scroll-margin-top: 60px; }
.exhibit figcaption { margin: 0 2px 5px; font-size: 13px; color: var(--dim); }
.exhibit .message, .sheet { border: 1px solid var(--line); border-radius: 10px; background: var(--page); }
.exhibit .message { padding: 12px 16px 14px; }
.sheet .dialog-body { padding-block: 10px; border-block: 1px solid var(--line); overflow: visible; }
[data-width=phone] .cards-grid { grid-template-columns: repeat(auto-fill, minmax(min(390px, 100%), 390px)); }
${within('[data-width=phone] .exhibit', PHONE)}
[data-width=phone] .exhibit .message, [data-width=phone] .sheet { border-radius: 22px; }
[data-width=phone] .exhibit .message { padding-inline: 14px; }
@media (max-width: 760px) {
  ${within('.exhibit', PHONE)}
  .accessory, .picker { width: 100%; max-width: none; }
  .cards-bar { position: static; padding: 8px 14px; }
  .cards-bar nav { order: 3; flex: 1 0 100%; flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
  .cards-way { flex: none; min-height: 36px; }
  .cards-switch { display: none; }
  main.cards-all { padding-inline: 0; }
  .cards-all h2, .exhibit figcaption { margin-inline: 14px; }
  .exhibit .message, .sheet { border-radius: 0; border-inline: 0; }
  .exhibit .message { padding-inline: 14px; }
  .sheet .dialog-head, .sheet .dialog-body, .sheet .dialog-foot { padding-inline: 16px; }
}
`
