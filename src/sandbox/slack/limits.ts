/**
 * Slack's limits, each with the page that states it. Lengths are UTF-16 code units of the text as it was sent:
 * `&amp;` counts five. Pages are those of docs.slack.dev; "seen" marks a limit known from public reports only.
 */
export const LIMITS = {
  /** reference/block-kit/blocks: "50 blocks in each message, 100 in modals and home tabs". */
  messageBlocks: 50,
  viewBlocks: 100,
  /** Seen: messages were refused as msg_blocks_too_long from 11,341 characters on, though each block was within its own limit. */
  messageBlocksText: 11_000,
  /** reference/methods/chat.postMessage: longer texts are cut; the stand-in refuses them, so that nothing is lost unseen. */
  postText: 40_000,
  /** reference/methods/chat.update: "msg_too_long" over 4,000 characters. */
  updateText: 4_000,
  /** reference/block-kit/composition-objects/text-object. */
  text: 3_000,
  /** reference/block-kit/blocks: block_id. */
  blockId: 255,
  /** reference/block-kit/block-elements: action_id. */
  actionId: 255,
  /** reference/block-kit/blocks/section-block. */
  sectionFields: 10,
  sectionField: 2_000,
  /** reference/block-kit/blocks/header-block. */
  header: 150,
  /** reference/block-kit/blocks/context-block. */
  contextElements: 10,
  /** reference/block-kit/blocks/actions-block. */
  actionsElements: 25,
  /** reference/block-kit/blocks/image-block. */
  imageUrl: 3_000,
  imageText: 2_000,
  /** reference/block-kit/blocks/input-block. */
  inputLabel: 2_000,
  /** reference/block-kit/block-elements/button-element. */
  buttonText: 75,
  buttonValue: 2_000,
  buttonUrl: 3_000,
  accessibilityLabel: 75,
  /** reference/block-kit/composition-objects/confirmation-dialog-object. */
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  /** reference/block-kit/composition-objects/option-object. */
  optionText: 75,
  optionValue: 150,
  optionDescription: 75,
  optionUrl: 3_000,
  /** reference/block-kit/block-elements/select-menu-element, overflow-menu-element, checkboxes-element. */
  selectOptions: 100,
  overflowOptions: 5,
  boxOptions: 10,
  /** reference/block-kit/block-elements/plain-text-input-element. */
  inputLength: 3_000,
  placeholder: 150,
  /** reference/views/modal-views. */
  viewTitle: 24,
  privateMetadata: 3_000,
  callbackId: 255,
  externalId: 255,
  /** reference/methods/views.open: view_too_large, "250kb" (bytes of the view as JSON). */
  viewBytes: 250_000,
  /** surfaces/modals: "up to 3 views" in a stack. */
  viewStack: 3,
  /** interactivity/handling-user-interaction: a trigger_id lives three seconds. */
  triggerMs: 3_000,
  /** interactivity/handling-user-interaction: "up to 5 times within 30 minutes". */
  responseUrlUses: 5,
  responseUrlMs: 30 * 60_000,
  /** interactivity/handling-user-interaction: an answer within three seconds. */
  answerMs: 3_000,
  /** apis/events-api/using-socket-mode: "up to 10" connections of one app. */
  sockets: 10,
  /** Seen: "Max frame length of 20480 has been exceeded" ends the socket of an app that sends more. Bytes. */
  socketFrame: 20_480,
} as const
