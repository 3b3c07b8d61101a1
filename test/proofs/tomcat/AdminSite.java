import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Any number of sites, each below its own path, which answer with system properties and keep what Tomcat makes of their requests:
 * a GET of `received` has it as JSON. A version in the path is that of the site.
 */
public class AdminSite extends HttpServlet {
    private static final Map<String, List<String>> sites = new ConcurrentHashMap<>();
    private static final String base = "/admin";

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String address = request.getRequestURI();
        int end = address.indexOf(base) + base.length();
        String site = address.substring(0, end);
        String path = address.substring(end);
        List<String> received = sites.computeIfAbsent(site, any -> new CopyOnWriteArrayList<>());
        boolean isPost = request.getMethod().equals("POST");
        if (isPost) received.add(read(path, request));
        String state = received.stream().anyMatch(one -> one.startsWith("{\"path\":\"/configure\"")) ? "after" : "before";
        String name = isPost ? path : path.length() < 2 ? state : "";
        String answer = path.equals("/received") ? received.toString() : System.getProperty("answer " + name);
        if (answer == null) response.setStatus(404);
        response.setContentType("application/json");
        response.getWriter().print((answer == null ? System.getProperty("answer none") : answer)
            .replace("VERSION", versionOf(site)));
    }

    private static String versionOf(String site) {
        return site.contains("-") ? site.split("[/-]")[2] : "11.3.0";
    }

    private static String read(String path, HttpServletRequest request) {
        List<String> parts = new ArrayList<>();
        List<String> parameters = new ArrayList<>();
        String error = null;
        try {
            if (request.getContentType().startsWith("multipart/"))
                for (Part part : request.getParts()) parts.add(read(part));
            request.getParameterMap().forEach((name, values) -> {
                for (String value : values) parameters.add("[" + quoted(name) + "," + quoted(value) + "]");
            });
        } catch (Exception thrown) {
            error = thrown.toString();
        }
        return String.format("{\"path\":%s,\"query\":%s,\"type\":%s,\"error\":%s,\"parts\":%s,\"parameters\":%s}", quoted(path),
            quoted(request.getQueryString()), quoted(request.getContentType()), quoted(error), parts, parameters);
    }

    private static String read(Part part) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (InputStream bytes = new DigestInputStream(part.getInputStream(), digest)) {
            bytes.transferTo(OutputStream.nullOutputStream());
        }
        String read = String.format("{\"name\":%s,\"fileName\":%s,\"type\":%s,\"size\":%d,\"sha256\":\"%s\"}", quoted(part.getName()),
            quoted(part.getSubmittedFileName()), quoted(part.getContentType()), part.getSize(),
            HexFormat.of().formatHex(digest.digest()));
        part.delete();
        return read;
    }

    private static String quoted(String text) {
        if (text == null) return "null";
        StringBuilder out = new StringBuilder("\"");
        for (char one : text.toCharArray())
            out.append(one < ' ' || one > '~' || one == '"' || one == '\\' ? String.format("\\u%04x", (int) one) : one);
        return out.append('"').toString();
    }
}
