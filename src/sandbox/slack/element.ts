import { isObject } from './json.ts'
import { LIMITS } from './limits.ts'
import { address, all, type Check, flag, kinds, list, may, must, object, text, whole, word } from './shape.ts'

/** Text objects. Source: docs.slack.dev/reference/block-kit/composition-objects/text-object. */
export function plainText(max: number): Check {
  return object({ type: must(word('plain_text')), text: must(text(max)), emoji: may(flag) })
}

function markdownText(max: number): Check {
  return object({ type: must(word('mrkdwn')), text: must(text(max)), verbatim: may(flag) })
}

export function anyText(max: number): Check {
  return kinds({ plain_text: plainText(max), mrkdwn: markdownText(max) })
}

const confirm = object({
  title: may(plainText(LIMITS.confirmTitle)),
  text: must(anyText(LIMITS.confirmText)),
  confirm: may(plainText(LIMITS.confirmButton)),
  deny: may(plainText(LIMITS.confirmButton)),
  style: may(word('primary', 'danger')),
})

const action = { action_id: may(text(LIMITS.actionId)) }
const placeholder = may(plainText(LIMITS.placeholder))
const id = text(LIMITS.actionId)

function option(label: (max: number) => Check): Check {
  return object({
    text: must(label(LIMITS.optionText)),
    value: must(text(LIMITS.optionValue)),
    description: may(label(LIMITS.optionDescription)),
    url: may(address(LIMITS.optionUrl)),
  })
}

const groups = list(
  object({
    label: must(plainText(LIMITS.optionText)),
    options: must(list(option(plainText), 1, LIMITS.selectOptions)),
  }),
  1,
  LIMITS.selectOptions,
)

const button = object({
  ...action,
  type: must(word('button')),
  text: must(plainText(LIMITS.buttonText)),
  value: may(text(LIMITS.buttonValue, 0)),
  url: may(address(LIMITS.buttonUrl)),
  style: may(word('primary', 'danger')),
  confirm: may(confirm),
  accessibility_label: may(text(LIMITS.accessibilityLabel)),
})

const overflow = object({
  ...action,
  type: must(word('overflow')),
  options: must(list(option(plainText), 1, LIMITS.overflowOptions)),
  confirm: may(confirm),
})

const staticSelect = all(
  object({
    ...action,
    type: must(word('static_select')),
    options: may(list(option(plainText), 1, LIMITS.selectOptions)),
    option_groups: may(groups),
    initial_option: may(option(plainText)),
    placeholder,
    confirm: may(confirm),
    focus_on_load: may(flag),
  }),
  (value, pointer, found) => {
    if (!isObject(value)) return
    const given = ['options', 'option_groups'].filter((name) => Object.hasOwn(value, name))
    if (given.length !== 1) found.push({ pointer, message: 'must have exactly one of options, option_groups' })
  },
)

const usersSelect = object({
  ...action,
  type: must(word('users_select')),
  initial_user: may(id),
  placeholder,
  confirm: may(confirm),
  focus_on_load: may(flag),
})

const boxes = {
  ...action,
  options: must(list(option(anyText), 1, LIMITS.boxOptions)),
  confirm: may(confirm),
  focus_on_load: may(flag),
}

const checkboxes = object({
  ...boxes,
  type: must(word('checkboxes')),
  initial_options: may(list(option(anyText), 1, LIMITS.boxOptions)),
})

const radioButtons = object({ ...boxes, type: must(word('radio_buttons')), initial_option: may(option(anyText)) })

const dispatchActionConfig = object({
  trigger_actions_on: may(list(word('on_enter_pressed', 'on_character_entered'), 1, 2)),
})

const plainTextInput = object({
  ...action,
  type: must(word('plain_text_input')),
  initial_value: may(text(LIMITS.inputLength, 0)),
  multiline: may(flag),
  min_length: may(whole(0, LIMITS.inputLength)),
  max_length: may(whole(1, LIMITS.inputLength)),
  placeholder,
  dispatch_action_config: may(dispatchActionConfig),
  focus_on_load: may(flag),
})

const image = object({
  type: must(word('image')),
  image_url: must(address(LIMITS.imageUrl)),
  alt_text: must(text(LIMITS.imageText)),
})

const choices = {
  static_select: staticSelect,
  users_select: usersSelect,
  checkboxes,
  radio_buttons: radioButtons,
}

/** What an actions block may hold. */
export const actionsElement = kinds({ button, overflow, ...choices })
/** What stands at the right of a section. */
export const accessory = kinds({ button, overflow, image, ...choices })
/** What an input block may hold. */
export const inputElement = kinds({ plain_text_input: plainTextInput, ...choices })
/** What a context block may hold. */
export const contextElement = kinds({
  plain_text: plainText(LIMITS.text),
  mrkdwn: markdownText(LIMITS.text),
  image,
})
