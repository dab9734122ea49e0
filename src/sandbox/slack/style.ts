/** The page's style sheet. Its colours and measures follow Slack's own client; light or dark is the reader's setting. */
export const style = `
:root {
  color-scheme: light;
  --side: #3f0e40; --side-2: #4d1a4f; --side-text: #dccedd; --side-dim: #a98cab; --side-strong: #fff; --side-on: #f9edff; --side-on-text: #39063a;
  --page: #fff; --raised: #fff; --sunken: #f8f8f8; --hover: #f8f8f8; --text: #1d1c1d; --dim: #616061; --faint: #8d8b8d; --line: #e3e2e3; --edge: #c6c5c6;
  --link: #1264a3; --mention: #1264a3; --mention-bg: #e8f5fa; --green: #007a5a; --green-hover: #00664b; --red: #c01343; --red-bg: #fdf0f3;
  --code: #c01343; --note-bg: #fdf6e3; --note-text: #5e4a12; --good: #00664b; --good-bg: #e3f4ee; --quote: #dddcdd; --shadow: 0 18px 48px #0003, 0 0 0 1px #0001;
  --mono: ui-monospace, "SF Mono", Menlo, Monaco, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --side: #19101b; --side-2: #271a2a; --side-text: #c9bccb; --side-dim: #8f7f92; --side-on: #5b2c5f; --side-on-text: #fff;
    --page: #1a1d21; --raised: #222529; --sunken: #202327; --hover: #1f2226; --text: #dfe0e2; --dim: #a2a5a9; --faint: #85898e; --line: #33363b; --edge: #565a60;
    --link: #4fb0e8; --mention: #7cc4ef; --mention-bg: #1d3a4b; --green: #007a5a; --green-hover: #148567; --red: #ff7a98; --red-bg: #3a1d26;
    --code: #f2a3b5; --note-bg: #332c19; --note-text: #e6d29a; --good: #5fd0a8; --good-bg: #14362b; --quote: #4a4e54; --shadow: 0 18px 48px #000a, 0 0 0 1px #fff2;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body { display: grid; grid-template: minmax(0, 1fr) / 264px minmax(0, 1fr); height: 100dvh; overflow: hidden; background: var(--side); color: var(--text);
  font: 15px/1.46668 Lato, -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif; -webkit-text-size-adjust: 100%; }
[data-sent=open] body { grid-template-columns: 264px minmax(0, 1fr) 296px; }
h1, h2, h3, p, ol, ul, figure, blockquote, pre { margin: 0; }
button, input, textarea { font: inherit; color: inherit; }
button { cursor: pointer; touch-action: manipulation; }
a { color: var(--link); text-decoration: none; }
:focus { outline: none; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.icon { width: 18px; height: 18px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.plain { display: grid; place-items: center; width: 34px; height: 34px; padding: 0; border: 0; border-radius: 6px; background: none; color: var(--dim); }

.avatar { display: inline-grid; place-items: center; flex: none; width: 36px; height: 36px; border-radius: 8px; color: #fff; font-weight: 700; font-size: 16px; line-height: 1; user-select: none; }
.avatar.app { background: linear-gradient(150deg, #0a8f6b, #005a43); }
.avatar.app .icon { width: 22px; height: 22px; stroke-width: 1.8; }
.hue-0 { background: #a5466f; } .hue-1 { background: #2f6f9f; } .hue-2 { background: #8a6116; } .hue-3 { background: #50702f; }
.hue-4 { background: #7a4fa3; } .hue-5 { background: #a8502f; } .hue-6 { background: #2c7a78; } .hue-7 { background: #5a63b0; }

.side { display: flex; flex-direction: column; min-height: 0; background: var(--side); color: var(--side-text); }
.side-head { display: flex; align-items: center; gap: 10px; height: 54px; padding: 0 18px; flex: none; }
.side-head h1 { font-size: 18px; font-weight: 900; color: var(--side-strong); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.stand-in { padding: 1px 8px; border: 1px solid var(--side-dim); border-radius: 99px; font-size: 11.5px; color: var(--side-text); white-space: nowrap; }
.side-scroll { flex: 1; min-height: 0; padding: 2px 8px 12px; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: var(--side-dim) transparent; }
.side h2 { margin: 16px 10px 5px; font-size: 13px; font-weight: 600; color: var(--side-dim); }
.row { display: flex; align-items: center; gap: 9px; width: 100%; min-height: 30px; padding: 3px 10px; border: 0; border-radius: 6px; background: none; color: inherit; text-align: left; }
.row:focus-visible { outline-color: #fff; outline-offset: -2px; }
.row .icon { width: 16px; height: 16px; opacity: .8; }
.row .avatar { width: 22px; height: 22px; border-radius: 5px; font-size: 11.5px; }
.row-name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row.unread { color: var(--side-strong); font-weight: 800; }
.row.not-member { font-style: italic; opacity: .75; }
.dot { width: 8px; height: 8px; border-radius: 50%; background: #e9407a; flex: none; }
.row[aria-current=page], .row[aria-checked=true] { background: var(--side-on); color: var(--side-on-text); opacity: 1; font-weight: 600; }
.row.person { min-height: 34px; }
.kind { font-size: 12px; font-weight: 400; color: var(--side-dim); white-space: nowrap; }
.kind.guest, .kind.stranger, .kind.bot, .kind.deactivated { padding: 0 7px; border-radius: 99px; background: #fff2; color: #f3e6f4; line-height: 19px; }
.kind.deactivated { background: #0004; color: var(--side-text); text-decoration: line-through; }
.row[aria-checked=true] .kind { color: inherit; }
.row[aria-checked=true] .kind:not(.member) { background: #4a154b; color: #fff; }
.side-foot { flex: none; padding: 10px 18px 14px; border-top: 1px solid var(--side-2); font-size: 12px; line-height: 1.4; color: var(--side-dim); }

main { display: flex; flex-direction: column; min-width: 0; min-height: 0; margin: 6px 6px 6px 0; border-radius: 8px; background: var(--page); overflow: hidden; }
.bar { display: flex; align-items: center; gap: 8px; height: 49px; flex: none; padding: 0 10px 0 20px; border-bottom: 1px solid var(--line); }
.bar-name { display: flex; align-items: center; gap: 5px; flex: 1; min-width: 0; font-size: 18px; font-weight: 900; }
.bar-name span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.menu { display: none; }
.you { display: none; align-items: center; gap: 7px; height: 34px; padding: 0 10px 0 5px; border: 1px solid var(--line); border-radius: 8px; background: none; font-size: 14px; font-weight: 700; }
.you .avatar { width: 24px; height: 24px; border-radius: 5px; font-size: 12px; }
[data-sent=open] .pulse { background: var(--mention-bg); color: var(--link); }
.offline, .remark { flex: none; padding: 7px 20px; font-size: 13px; background: var(--note-bg); color: var(--note-text); }
.offline { background: var(--red-bg); color: var(--red); }
.stage { position: relative; flex: 1; min-height: 0; }
.scroller { display: flex; flex-direction: column; height: 100%; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; }
.messages { margin-top: auto; padding: 8px 0 6px; }
.empty { margin: auto; padding: 24px; color: var(--faint); text-align: center; }
.more { position: absolute; left: 50%; bottom: 12px; translate: -50% 0; display: flex; align-items: center; gap: 5px; height: 34px; padding: 0 15px 0 11px; border: 0; border-radius: 99px;
  background: #1264a3; color: #fff; font-size: 13px; font-weight: 700; box-shadow: 0 3px 12px #0004; }
.more .icon { width: 15px; height: 15px; stroke-width: 2; }
.day { display: flex; align-items: center; margin: 12px 20px 6px; gap: 12px; }
.day::before, .day::after { content: ""; flex: 1; height: 1px; background: var(--line); }
.day span { padding: 2px 13px; border: 1px solid var(--line); border-radius: 99px; font-size: 13px; font-weight: 700; }

.message { display: flex; gap: 10px; padding: 8px 20px; }
.message.reply { margin-left: 38px; padding-left: 18px; border-left: 2px solid var(--line); }
.message.reply > .avatar { width: 26px; height: 26px; border-radius: 6px; font-size: 13px; }
.message.reply > .avatar .icon { width: 17px; height: 17px; }
.message.ephemeral { background: var(--sunken); }
.message-body { flex: 1; min-width: 0; max-width: 760px; }
.message-head { display: flex; align-items: baseline; flex-wrap: wrap; gap: 0 7px; line-height: 1.3; }
.author { font-weight: 900; }
.app-badge { align-self: center; padding: 1px 4px; border-radius: 3px; background: var(--line); color: var(--dim); font-size: 10px; font-weight: 700; letter-spacing: .02em; line-height: 13px; }
.message-head time { font-size: 12px; color: var(--dim); }
.only-you { display: flex; align-items: center; gap: 6px; margin-bottom: 3px; font-size: 13px; color: var(--dim); }
.only-you .icon { width: 15px; height: 15px; }
.edited { font-size: 13px; color: var(--faint); }
.trouble { margin-top: 6px; font-size: 13px; line-height: 1.4; color: var(--red); overflow-wrap: anywhere; }
.trouble:empty { display: none; }

.block { margin: 4px 0 8px; }
.message-body > .block:last-child { margin-bottom: 0; }
.words, .rich li { white-space: pre-wrap; overflow-wrap: anywhere; }
.block.header { margin: 8px 0 4px; font-size: 18px; line-height: 1.3334; font-weight: 900; overflow-wrap: anywhere; white-space: pre-wrap; }
.section { display: flex; gap: 16px; align-items: flex-start; }
.section-main { flex: 1; min-width: 0; }
.fields { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px 16px; margin-top: 4px; }
.fields:first-child { margin-top: 0; }
.context { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 10px; font-size: 13px; line-height: 1.4; color: var(--dim); }
.context > * { min-width: 0; }
.home { max-width: 800px; padding: 0 20px; }
.messages:has(> .home) { margin-top: 0; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
hr.block { margin: 12px 0; border: 0; border-top: 1px solid var(--line); }
.rich > * + * { margin-top: 4px; }
.rich > pre + *, .rich > blockquote + * { margin-top: 8px; }
.rich ul, .rich ol { padding-left: 28px; }
.indent-1 { margin-left: 24px; } .indent-2 { margin-left: 48px; } .indent-3 { margin-left: 72px; } .indent-4 { margin-left: 96px; }
.indent-5 { margin-left: 120px; } .indent-6 { margin-left: 144px; } .indent-7 { margin-left: 168px; } .indent-8 { margin-left: 192px; }
pre { padding: 8px 10px; border: 1px solid var(--line); border-radius: 4px; background: var(--sunken); font: 12.5px/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4;
  font-variant-ligatures: none; }
code { padding: 1px 4px 2px; border: 1px solid var(--line); border-radius: 3px; background: var(--sunken); color: var(--code); font: .82em/1.5 var(--mono); overflow-wrap: anywhere; white-space: pre-wrap;
  font-variant-ligatures: none; }
blockquote { padding-left: 14px; border-left: 4px solid var(--quote); white-space: pre-wrap; overflow-wrap: anywhere; }
.mention { padding: 0 2px 1px; border-radius: 3px; background: var(--mention-bg); color: var(--mention); }
.mark { display: inline-grid; place-items: center; width: 17px; height: 17px; border-radius: 4px; vertical-align: -3px; color: #fff; background: #5a63b0; }
.mark .icon { width: 13px; height: 13px; stroke-width: 2.6; }
.mark.good { background: #007a5a; } .mark.bad { border-radius: 50%; background: #c01343; } .mark.wait { background: #8a6116; } .mark.warn { background: #b3540a; }
.not-drawn { display: inline-block; padding: 2px 8px; border: 1px dashed var(--red); border-radius: 4px; color: var(--red); font: 12px/1.5 var(--mono); }
.picture { display: inline-grid; place-items: center; padding: 3px 9px; border: 1px solid var(--line); border-radius: 4px; background: var(--sunken); color: var(--dim); font-size: 13px; overflow-wrap: anywhere; }
.image .picture { min-height: 110px; width: min(360px, 100%); }
figcaption { margin-bottom: 4px; }
.choice { display: inline-flex; align-items: center; gap: 8px; flex-wrap: wrap; }

.button { position: relative; display: inline-flex; align-items: center; justify-content: center; min-height: 30px; padding: 3px 12px; border: 1px solid var(--edge); border-radius: 8px; background: var(--page);
  font-size: 13px; font-weight: 700; line-height: 1.3; text-align: center; overflow-wrap: anywhere; transition: background .1s, box-shadow .1s; }
.button:active { box-shadow: none; filter: brightness(.95); }
.button.primary { border-color: var(--green); background: var(--green); color: #fff; }
.button.danger { border-color: var(--red); color: var(--red); }
.button.solid-danger { border-color: #c01343; background: #c01343; color: #fff; }
.button[aria-disabled=true] { cursor: default; box-shadow: none; }
.busy { color: transparent !important; }
.busy > * { visibility: hidden; }
.busy::after { content: ""; position: absolute; inset: 0; margin: auto; width: 15px; height: 15px; border: 2px solid var(--faint); border-right-color: transparent; border-radius: 50%; animation: turn .7s linear infinite; }
.busy.primary::after, .send.busy::after { border-color: #fff; border-right-color: transparent; }
@keyframes turn { to { rotate: 1turn; } }

.composer { flex: none; padding: 8px 20px 10px; }
.composer .trouble { margin: 0 2px 6px; }
.composer-box { display: flex; align-items: flex-end; gap: 6px; padding: 5px 5px 5px 12px; border: 1px solid var(--edge); border-radius: 9px; background: var(--page); }
.composer-box:focus-within { border-color: var(--faint); box-shadow: 0 0 0 3px color-mix(in srgb, var(--link) 18%, transparent); }
.composer textarea { flex: 1; min-width: 0; max-height: 140px; padding: 5px 0; border: 0; background: none; resize: none; field-sizing: content; outline: none; line-height: 22px; }
::placeholder { color: var(--faint); opacity: 1; }
.send { position: relative; display: grid; place-items: center; width: 32px; height: 32px; padding: 0; border: 0; border-radius: 6px; background: none; color: var(--faint); }
.send.ready { background: var(--green); color: #fff; }
.composer-hint { margin-top: 5px; font-size: 12px; color: var(--faint); }
kbd { font: inherit; font-weight: 700; }
.offer { display: flex; flex-wrap: wrap; gap: 0 10px; width: 100%; margin-bottom: 6px; padding: 8px 12px; border: 1px solid var(--line); border-radius: 9px; background: var(--raised); text-align: left; font-size: 14px;
  box-shadow: 0 4px 14px #0001; }
.offer span { color: var(--dim); }
.offer-app { margin-left: auto; }

.sent { display: none; flex-direction: column; min-height: 0; margin: 6px 6px 6px 0; border-radius: 8px; background: var(--page); overflow: hidden; }
[data-sent=open] .sent { display: flex; }
.sent header { display: flex; align-items: center; height: 49px; flex: none; padding: 0 10px 0 16px; border-bottom: 1px solid var(--line); }
.sent h2 { flex: 1; font-size: 15px; font-weight: 900; }
.sent-about, .sent-none { padding: 10px 16px 4px; font-size: 12px; line-height: 1.45; color: var(--faint); }
.sent-list { flex: 1; min-height: 0; padding: 4px 0 12px; list-style: none; overflow-y: auto; scrollbar-width: thin; }
.sent-list:empty { display: none; }
.sent-list li { display: flex; gap: 10px; padding: 7px 16px; }
.sent-list li > div { min-width: 0; flex: 1; }
.status { flex: none; min-width: 36px; height: 20px; padding: 0 6px; border-radius: 5px; text-align: center; font: 700 12px/20px var(--mono); }
.status.good { background: var(--good-bg); color: var(--good); }
.status.bad { background: var(--red-bg); color: var(--red); }
.status.waits { background: var(--line); color: var(--dim); }
.sent-what { font-size: 13px; line-height: 20px; overflow-wrap: anywhere; }
.sent-detail { font-size: 12px; line-height: 17px; color: var(--faint); overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.sent-trouble { font-size: 12px; color: var(--red); overflow-wrap: anywhere; }

.dialog { width: min(520px, calc(100vw - 32px)); max-height: min(86dvh, 760px); padding: 0; border: 0; border-radius: 12px; background: var(--raised); color: var(--text); box-shadow: var(--shadow); overflow: hidden; }
.dialog[open] { display: flex; flex-direction: column; animation: rise .12s ease-out; }
.dialog.small { width: min(420px, calc(100vw - 32px)); }
.dialog::backdrop { background: #0008; }
@keyframes rise { from { opacity: 0; transform: translateY(6px); } }
.dialog form { display: flex; flex-direction: column; flex: 1; min-height: 0; }
.dialog-head { display: flex; align-items: center; gap: 11px; flex: none; padding: 18px 16px 12px 24px; }
.dialog-head .avatar { width: 28px; height: 28px; border-radius: 6px; }
.dialog-head .avatar .icon { width: 18px; height: 18px; }
.dialog-head h2 { flex: 1; min-width: 0; font-size: 20px; line-height: 1.25; font-weight: 900; overflow-wrap: anywhere; }
.dialog-body { flex: 1; min-height: 0; padding: 2px 24px 10px; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; outline: none; }
.modal .dialog-body { border-block: 1px solid var(--line); padding-block: 10px; }
.dialog-foot { display: flex; justify-content: flex-end; gap: 10px; flex: none; padding: 14px 24px 18px; }
.dialog-foot .button { min-height: 36px; padding-inline: 15px; font-size: 15px; background-color: var(--raised); }
.dialog-foot .button.primary { background: var(--green); }
.dialog-foot .button.solid-danger { background: #c01343; }
.modal .trouble { margin: 12px 24px 0; }
.input { display: block; margin: 8px 0 18px; }
.input-label { display: block; margin-bottom: 6px; font-weight: 700; }
.optional { font-weight: 400; color: var(--dim); }
.input-box { position: relative; display: block; }
.input-text { display: block; width: 100%; padding: 8px 12px; border: 1px solid var(--edge); border-radius: 6px; background: var(--page); line-height: 1.4; }
textarea.input-text { min-height: 96px; max-height: 40dvh; resize: vertical; field-sizing: content; }
.input-text:focus { outline: none; border-color: var(--link); box-shadow: 0 0 0 3px color-mix(in srgb, var(--link) 25%, transparent); }
.wrong .input-text { border-color: var(--red); }
.wrong .input-text:focus { box-shadow: 0 0 0 3px color-mix(in srgb, var(--red) 25%, transparent); }
.left { position: absolute; right: 10px; bottom: 6px; font-size: 12px; color: var(--faint); background: var(--page); padding-left: 4px; }
.left.over { color: var(--red); font-weight: 700; }
.field-error { display: block; margin-top: 5px; font-size: 13px; color: var(--red); }
.field-error:empty { display: none; }
.hint { display: block; margin-top: 5px; font-size: 13px; color: var(--dim); }

@media (hover: hover) {
  a:hover { text-decoration: underline; }
  .plain:hover { background: var(--hover); color: var(--text); }
  .row:not([aria-current], [aria-checked=true]):hover { background: var(--side-2); }
  .message:hover { background: var(--hover); }
  .button:hover { background: var(--hover); box-shadow: 0 1px 3px #0002; }
  .button.primary:hover { border-color: var(--green-hover); background: var(--green-hover); }
  .button.danger:hover { background: var(--red-bg); }
  .button.solid-danger:hover { background: #a50f39; }
  .offer:hover { background: var(--hover); }
}

.scrim { display: none; position: fixed; inset: 0; z-index: 2; background: #0007; }
@media (max-width: 1179px) {
  [data-sent=open] body { grid-template-columns: 264px minmax(0, 1fr); }
  .sent { position: fixed; z-index: 3; inset: 0 0 0 auto; width: min(340px, 88vw); margin: 0; border-radius: 0; box-shadow: var(--shadow); }
  [data-sent=open] .scrim { display: block; }
}
@media (max-width: 760px) {
  body, [data-sent=open] body { grid-template-columns: minmax(0, 1fr); }
  main { margin: 0; border-radius: 0; }
  .side { position: fixed; z-index: 3; inset: 0 auto 0 0; width: min(300px, 84vw); visibility: hidden; translate: -100% 0; transition: translate .18s ease-out, visibility .18s; }
  [data-side=open] .side { visibility: visible; translate: 0 0; }
  [data-side=open] .scrim { display: block; }
  .bar { height: 54px; padding: 0 6px; gap: 4px; }
  .menu { display: grid; }
  .you { display: flex; }
  .plain { width: 44px; height: 44px; }
  .row, .row.person { min-height: 44px; font-size: 16px; }
  .row .avatar { width: 28px; height: 28px; }
  .message { padding-inline: 14px; }
  .message.reply { margin-left: 24px; padding-left: 12px; }
  .fields { grid-template-columns: repeat(auto-fit, minmax(132px, 1fr)); }
  .section { flex-wrap: wrap; }
  .button, .dialog-foot .button { min-height: 44px; padding-inline: 16px; font-size: 15px; }
  .actions .button { flex: 1 0 auto; max-width: 100%; }
  .offline, .remark { padding-inline: 14px; }
  .composer { padding: 6px 10px calc(8px + env(safe-area-inset-bottom)); }
  .composer textarea, .input-text { font-size: 16px; }
  .composer textarea { padding-block: 9px; }
  .send { width: 40px; height: 40px; }
  .more { height: 44px; }
  .modal { width: 100vw; max-width: none; height: 100dvh; max-height: none; margin: 0; border-radius: 0; }
  .modal .dialog-head { padding: 8px 6px 8px 16px; }
  .modal .dialog-body { padding-inline: 16px; }
  .modal .trouble { margin-inline: 16px; }
  .sent header { height: 54px; }
  .modal .dialog-foot { padding: 10px 16px calc(10px + env(safe-area-inset-bottom)); }
  .modal .dialog-foot .button { flex: 1; }
}
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation-duration: 1.5s !important; transition: none !important; }
}
`
