# trace_type.awk - the types of a preprocessed header as tables for the trace:
# enumerations with their names, structures with their members, handles and
# other names of types.  What it does not understand it leaves out.
#
#	cc -E -P cuda_api.h | awk -f trace_type.awk >driver.inc

{ text = text " " $0 }

# t[i] is "{": the index behind its "}"
function behind(i,  depth) {
	do {
		if (t[i] == "{") depth++
		if (t[i] == "}") depth--
	} while (i++ < n && depth)
	return i
}

function enumeration(name, i, end,  c, depth) {
	printf "static const struct trace_name names_%s[] = {\n", name
	for (c = depth = 0; i < end; i++) {
		if (depth == 0 && t[i] ~ /^[A-Za-z_]/ && t[i - 1] ~ /^[{,]$/) {
			printf "\t{ %s, \"%s\" },\n", t[i], t[i]
			c++
		}
		if (t[i] == "(") depth++
		if (t[i] == ")") depth--
	}
	print "};"
	row[++rows] = sprintf("\"%s\", TRACE_ENUM, sizeof(%s), %d, names_%s, 0, 0",
		name, name, c, name)
}

# "unsigned x, * y": the words before the first name are the type
function member(name, i, end,  base, stars, w, c) {
	for (c = i; c < end; c++)
		if (t[c] == "(") return 0
	for (base = ""; i < end; i++) {
		w = t[i]
		if (w ~ /^[A-Za-z_]/ && t[i + 1] ~ /^[A-Za-z_*]/ && i + 1 < end)
			base = base (base == "" ? "" : " ") w
		else
			break
	}
	for (c = 0; i < end; i++) {
		for (stars = ""; t[i] == "*" || t[i] == "const"; i++)
			stars = stars (t[i] == "*" ? "*" : "")
		w = t[i]
		if (t[i + 1] == "[") {
			while (i < end && t[i] != ",") i++
			continue
		}
		printf "\t{ \"%s\", \"%s%s\", offsetof(%s, %s), sizeof ((%s *)0)->%s },\n",
			w, base, stars == "" ? "" : " " stars, name, w, name, w
		c++
		i++
	}
	return c
}

function record(name, i, end,  tag, first, c) {
	tag = name
	gsub(/ /, "_", tag)
	printf "static const struct trace_field fields_%s[] = {\n", tag
	for (first = i + 1; ++i < end; ) {
		if (t[i] == "{") {
			i = behind(i)
			while (t[i] != ";") i++
			first = i + 1
		} else if (t[i] == ";") {
			c += member(name, first, i)
			first = i + 1
		}
	}
	print "\t{ 0, 0, 0, 0 }\n};"
	row[++rows] = sprintf("\"%s\", TRACE_STRUCT, sizeof(%s), %d, 0, fields_%s, 0",
		name, name, c, tag)
}

# enum { … }; typedef int name; is an enumeration of that name, too
function is_named(i) {
	return t[i] == ";" && t[i + 1] == "typedef" &&
		t[i + 2] ~ /^(int|unsigned)$/ && t[i + 4] == ";"
}

# typedef struct s *name; or typedef word … name, name;
function other(i,  base, end) {
	for (end = i; t[end] != ";"; end++)
		if (t[end] ~ /^[({[]$/) return
	if (t[i] == "struct" && t[i + 2] == "*") {
		row[++rows] = sprintf("\"%s\", TRACE_HANDLE, sizeof(%s), 0, 0, 0, 0",
			t[end - 1], t[end - 1])
		return
	}
	for (base = ""; i < end && t[i + 1] ~ /^[A-Za-z_]/; i++)
		base = base (base == "" ? "" : " ") t[i]
	if (base ~ /^(struct|enum|union)/)
		return
	for (; i < end; i++)
		if (t[i] ~ /^(CU|cu|E|GL|Vdp)/ && t[i - 1] != "*")
			row[++rows] = sprintf("\"%s\", TRACE_ALIAS, sizeof(%s), 0, 0, 0, \"%s\"",
				t[i], t[i], base)
}

END {
	gsub(/[][{}();,*=]/, " & ", text)
	n = split(text, t, " ")
	for (i = 1; i <= n; i++) {
		is = t[i] == "typedef"
		k = i + is
		if (t[k] !~ /^(struct|enum|union)$/ || (t[k + 2] != "{" && t[k + 1] != "{")) {
			if (is) other(k)
			while (i < n && t[i] != ";") i = t[i] == "{" ? behind(i) : i + 1
			continue
		}
		open = t[k + 1] == "{" ? k + 1 : k + 2
		end = behind(open)
		name = is ? t[end] : t[k] " " t[k + 1]
		if (t[k] == "enum" && is) {
			enumeration(name, open, end - 1)
		} else if (t[k] == "enum" && is_named(end)) {
			enumeration(t[end + 3], open, end - 1)
			end += 4
		}
		if (t[k] == "struct" && open == k + 2)
			record(name, open, end - 1)
		while (end < n && t[end] != ";") end++
		i = end
	}
	print "static const struct trace_type type_list[] = {"
	for (i = 1; i <= rows; i++)
		print "\t{ " row[i] " },"
	print "};"
}
