/**
 * The page's HTML. It holds no content: the page's modules build everything from elements and text nodes. What a page opened
 * on this address may load is said in the policy; a click here is an approval, so nothing may frame it either.
 */
export const shell = (script: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<title>Stand-in for Slack</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Crect width='20' height='20' rx='5' fill='%23007a5a'/%3E%3Cpath d='M5 9.5l3.5 3.5 7-7.5M5 16h10' fill='none' stroke='%23fff' stroke-width='1.8' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E">
<link rel="stylesheet" href="/page/style.css">
<script type="module" src="/page/${script}.js"></script>
</head>
<body>
<noscript>This page plays Slack with the help of JavaScript, which is switched off here.</noscript>
</body>
</html>
`
