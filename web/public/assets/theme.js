// Before the first paint, so that a dark page never flashes white. The page's policy allows no inline script.
;(function () {
  var root = document.documentElement
  var theme = 'system'
  var language = ''
  try {
    var kept = JSON.parse(localStorage.getItem('glossator') || '{}')
    theme = kept.theme || theme
    language = kept.language || ''
  } catch (_) {
    // storage that is shut off or damaged: the system's own theme
  }
  var dark = matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = theme === 'system' ? (dark ? 'dark' : 'light') : theme
  root.lang = language || (navigator.language.indexOf('zh') === 0 ? 'zh' : 'en')
})()
