# Prints the first picture of a report as a file of its own, as a wide and light page shows it:
#
#   awk -f data/images/picture.awk lind.html > report.svg

BEGIN {
    # The page is one record.
    RS = "\001"
}

{
    style = between($0, "<style>", "</style>")
    dark = index(style, "@media (prefers-color-scheme: dark)")
    rest = substr(style, dark)
    rest = substr(rest, index(rest, "\n}\n") + 3)
    style = substr(style, 1, dark - 1) substr(rest, 1, index(rest, "@media") - 1)
    class = between($0, "<body class=\"", "\"")
    picture = between($0, "<svg class=\"wide\"", "</svg>")
    title = index(picture, "</title>") + 7
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wide %s\"", class
    printf " font-family=\"system-ui, 'Segoe UI', Roboto, Arial, sans-serif\"%s", substr(picture, 1, title)
    printf "<style>%s</style><rect width=\"100%%\" height=\"100%%\" fill=\"#fdfdfc\"/>", style
    printf "%s</svg>\n", substr(picture, title + 1)
}

function between(text, from, to) {
    text = substr(text, index(text, from) + length(from))
    return substr(text, 1, index(text, to) - 1)
}
